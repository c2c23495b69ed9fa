package io.posbias.data.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Code points of strings, the unit of all offsets on disk. */
public final class CodePoints {
    /**
     * Orders strings by code points, as strcmp on UTF-8 (trec_eval) and Python do. {@link String#compareTo} differs
     * where surrogates meet U+E000 to U+FFFF.
     */
    public static final Comparator<String> ORDER = CodePoints::compare;

    private CodePoints() {}

    public static int count(String text) {
        return text.codePointCount(0, text.length());
    }

    /**
     * Converts a span of code points to UTF-16 units.
     *
     * @param end at most {@code count(text)}
     */
    public static Span toUtf16(String text, int start, int end) {
        int from = text.offsetByCodePoints(0, start);
        return new Span(from, text.offsetByCodePoints(from, end - start));
    }

    /** Converts UTF-16 spans, in the order of their starts, to code points; they may overlap. */
    public static List<Span> fromUtf16(String text, List<Span> spans) {
        List<Span> converted = new ArrayList<>();
        int unit = 0;
        int point = 0;
        for (Span span : spans) {
            point += text.codePointCount(unit, span.start());
            unit = span.start();
            converted.add(new Span(point, point + text.codePointCount(unit, span.end())));
        }
        return converted;
    }

    /** Returns a hash of 64 bits, FNV-1a: few other texts of a file have that of a text. */
    static long hash(IntStream units) {
        return units.asLongStream().reduce(0xcbf29ce484222325L, (hash, unit) -> (hash ^ unit) * 0x100000001b3L);
    }

    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Character.isSurrogate(x) == Character.isSurrogate(y)
                        ? Character.compare(x, y)
                        : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
