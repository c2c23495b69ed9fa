package io.posbias.data.dataset;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sentences of a text that can be rearranged. Rearranged texts have uniform joints, so they differ only in order.
 *
 * @param spans in UTF-16 units
 * @param joint between sentences
 */
public record Sentences(String text, List<Span> spans, String joint) {
    /** Stops that {@link BreakIterator} does not know, from Armenian to Manipuri. */
    private static final String OTHER_STOPS =
            "\u0589\u061f\u06d4\u0965\u0f0d\u0f0e\u0f11\u104b\u1362\u1367\u1368\u166e\u1803\u1809\u17d4\u17d5\uabeb";

    /** Full stops, question and exclamation marks of all scripts, for a class of a pattern. */
    public static final String STOPS = ".!?\u2026\u3002\uff01\uff1f\u0964" + OTHER_STOPS;

    /** Scripts without stops, for a class of a pattern. */
    public static final String UNSTOPPED = "\\p{IsThai}\\p{IsLao}";

    /** A letter of those scripts, but for signs of repetition and abbreviation, which have spaces around them. */
    private static final String CLAUSE = "[" + UNSTOPPED + "&&[^\u0e2f\u0e46\u0eaf\u0ec6]]";

    /** Ends that {@link BreakIterator} does not find: Georgian has no capitals that begin a sentence. */
    private static final Pattern END = Pattern.compile(String.join(
            "|",
            "[" + OTHER_STOPS + "]+[!?\"'\\p{Pe}\\p{Pf}]*\\s*(?:[\u0f0d\u0f0e]+\\s*)*",
            "\u1361\u1361\\s*",
            "(?<=\\p{IsGreek})[;\u037e]\\s+",
            "(?<=\\p{IsGeorgian}[\"\u201c\u201d]?[.!?])\\s+(?=[\"\u201e]?\\p{IsGeorgian})",
            "(?<=" + CLAUSE + ")\\s+(?=" + CLAUSE + ")"));

    /**
     * Splits a text by {@link BreakIterator}, at stops of further scripts, and in Thai and Lao at spaces; white space between
     * sentences belongs to none.
     *
     * @param language ISO 639-1 code; empty for general rules
     */
    public static Sentences of(String text, String language) {
        List<Span> spans = spans(text, Locale.forLanguageTag(language));
        return new Sentences(text, spans, jointOf(spans));
    }

    /** Returns the sentences without surrounding white space. */
    public static List<Span> spans(String text, Locale locale) {
        return pieces(text, BreakIterator.getSentenceInstance(locale)).stream()
                .flatMap(piece -> parts(text, piece))
                .map(part -> stripped(text, part.start(), part.end()))
                .filter(span -> span.end() > span.start())
                .toList();
    }

    static List<Span> pieces(String text, BreakIterator breaks) {
        breaks.setText(text);
        List<Span> pieces = new ArrayList<>();
        int start = breaks.first();
        for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
            pieces.add(new Span(start, end));
            start = end;
        }
        return pieces;
    }

    private static Stream<Span> parts(String text, Span piece) {
        List<Span> parts = new ArrayList<>();
        Matcher end = END.matcher(text).region(piece.start(), piece.end());
        int from = piece.start();
        while (end.find()) {
            parts.add(new Span(from, end.end()));
            from = end.end();
        }
        parts.add(new Span(from, piece.end()));
        return parts.stream();
    }

    private static Span stripped(String text, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && Character.isWhitespace(text.charAt(from))) {
            from++;
        }
        while (to > from && Character.isWhitespace(text.charAt(to - 1))) {
            to--;
        }
        return new Span(from, to);
    }

    private static String jointOf(List<Span> spans) {
        int apart = 0;
        for (int i = 1; i < spans.size(); i++) {
            apart += spans.get(i).start() > spans.get(i - 1).end() ? 1 : 0;
        }
        return 2 * apart >= spans.size() - 1 ? " " : "";
    }

    public int size() {
        return spans.size();
    }

    /** Returns a part of a text as evidence without labels. */
    public static Evidence evidence(String text, Span part, int tokens) {
        return new Evidence(
                text.codePointCount(0, part.start()),
                text.codePointCount(0, part.end()),
                CodePoints.count(text),
                tokens,
                List.of(),
                part);
    }

    /** A range of sentences from 0, end exclusive. */
    public record Range(int from, int to) {
        public int size() {
            return to - from;
        }

        public boolean overlaps(Range other) {
            return from < other.to && other.from < to;
        }
    }

    /** Returns the sentences that overlap a span; empty for white space. */
    public Optional<Range> holding(Span part) {
        int from = 0;
        while (from < size() && spans.get(from).end() <= part.start()) {
            from++;
        }
        int to = from;
        while (to < size() && spans.get(to).start() < part.end()) {
            to++;
        }
        return to > from ? Optional.of(new Range(from, to)) : Optional.empty();
    }

    public List<String> of(Range range) {
        return spans.subList(range.from(), range.to()).stream()
                .map(span -> span.of(text))
                .toList();
    }

    public List<String> without(Range range) {
        List<String> rest = new ArrayList<>(of(new Range(0, range.from())));
        rest.addAll(of(new Range(range.to(), size())));
        return List.copyOf(rest);
    }

    public List<String> all() {
        return of(new Range(0, size()));
    }

    /** Joins sentences of this text or another. */
    public String join(List<String> sentences) {
        return String.join(joint, sentences);
    }

    /** Joins sentences with others inserted before index {@code at}. */
    public String inserted(List<String> sentences, int at, List<String> others) {
        List<String> all = new ArrayList<>(sentences.subList(0, at));
        all.addAll(others);
        all.addAll(sentences.subList(at, sentences.size()));
        return join(all);
    }
}
