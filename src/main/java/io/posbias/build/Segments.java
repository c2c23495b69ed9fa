package io.posbias.build;

import io.posbias.Setting;
import io.posbias.build.text.TextSentences;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How documents are cut into parts of the same length, as splitting, checking and judging stages do it alike. With borders
 * between {@code characters} a part of n has {@code floor(z / n)} of the document's z code points and the last one the rest,
 * as in Algorithm 1 of the FineWeb-PosQ paper. With borders between {@code sentences}, each border is where a sentence begins,
 * as near as possible to its share of the document's length in {@code unit} (the papers do not say how; ours).
 *
 * @param borders between {@code characters} or {@code sentences}
 * @param unit what lengths of sentences are counted in; null: words
 */
record Segments(
        @Setting(words = {"characters", SENTENCES}) String borders,
        @Nullable LengthUnit unit) {
    private static final String SENTENCES = "sentences";

    Segments {
        if (unit != null && !borders.equals(SENTENCES)) {
            throw new Setting.Wrong("unit", "has no meaning here", "it goes with borders: sentences");
        }
    }

    private LengthUnit lengths() {
        return unit == null ? new LengthUnit(LengthUnit.WORDS) : unit;
    }

    /** What the parts depend on besides the settings. */
    Object inputs(PipelineContext context) {
        return lengths().inputs(context);
    }

    /**
     * The parts of a document, which cover it without gaps.
     *
     * @param n how many, at least 1
     * @return as many as there should be, in code points; empty where the document has too few characters or sentences
     */
    List<Span> cut(String text, int n, PipelineContext context) {
        return borders.equals(SENTENCES)
                ? bySentences(text, context.pipeline().language(), n, lengths().counter(context))
                : equal(CodePoints.count(text), n);
    }

    /** What a part in code points holds. */
    static String textOf(Span part, String text) {
        return CodePoints.toUtf16(text, part.start(), part.end()).of(text);
    }

    /** Parts of the same length in code points but for the last, which has what is left over. */
    static List<Span> equal(int codePoints, int n) {
        int length = codePoints / n;
        List<Span> parts = new ArrayList<>();
        for (int i = 0; i < n && length > 0; i++) {
            parts.add(new Span(i * length, i + 1 == n ? codePoints : (i + 1) * length));
        }
        return parts;
    }

    /** Parts with borders where sentences begin; white space after a sentence belongs to its part. */
    static List<Span> bySentences(String text, String language, int n, ToIntFunction<String> length) {
        List<Span> sentences = TextSentences.of(text, language);
        if (sentences.size() < n) {
            return List.of();
        }
        long[] before = new long[sentences.size() + 1];
        for (int i = 0; i < sentences.size(); i++) {
            before[i + 1] = before[i] + length.applyAsInt(sentences.get(i).of(text));
        }
        List<Span> parts = new ArrayList<>();
        int first = 0;
        int start = 0;
        for (int i = 1; i <= n; i++) {
            first = i == n ? sentences.size() : border(before, first + 1, sentences.size() - (n - i), i, n);
            int end = i == n ? text.length() : sentences.get(first).start();
            parts.add(new Span(start, end));
            start = end;
        }
        return CodePoints.fromUtf16(text, parts);
    }

    /** The sentence at which the i-th border is nearest to i / n of the whole; the earlier of two that are as near. */
    private static int border(long[] before, int least, int most, int i, int n) {
        long whole = before[before.length - 1];
        int best = least;
        for (int at = least; at <= most; at++) {
            if (Math.abs(before[at] * n - whole * i) < Math.abs(before[best] * n - whole * i)) {
                best = at;
            }
        }
        return best;
    }
}
