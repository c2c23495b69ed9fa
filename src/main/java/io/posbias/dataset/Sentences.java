package io.posbias.dataset;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A text cut into sentences that can be put together anew. All that is put together has the same joint, so two texts
 * made of the same sentences differ in their order and in nothing else.
 *
 * @param text the whole, as it was given
 * @param spans where each sentence is in it, in UTF-16 units
 * @param joint what is put between sentences
 */
public record Sentences(String text, List<Span> spans, String joint) {
    /**
     * Cuts a text where {@link BreakIterator} sees a sentence begin; white space between sentences belongs to none.
     *
     * @param language of the text, as an ISO 639-1 code; empty for the rules that suit most languages
     */
    public static Sentences of(String text, String language) {
        List<Span> spans = spans(text, Locale.forLanguageTag(language));
        return new Sentences(text, spans, jointOf(spans));
    }

    /** Where sentences are in a text, without the white space around them. */
    public static List<Span> spans(String text, Locale locale) {
        return pieces(text, BreakIterator.getSentenceInstance(locale)).stream()
                .map(piece -> stripped(text, piece.start(), piece.end()))
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

    /** A space where most sentences are set apart, nothing where they are not, as in Chinese and Japanese. */
    private static String jointOf(List<Span> spans) {
        int apart = 0;
        for (int i = 1; i < spans.size(); i++) {
            apart += spans.get(i).start() > spans.get(i - 1).end() ? 1 : 0;
        }
        return 2 * apart >= spans.size() - 1 ? " " : "";
    }

    /** How many there are. */
    public int size() {
        return spans.size();
    }

    /** A part of a text as evidence that has no labels. */
    public static Evidence evidence(String text, Span part, int tokens) {
        return new Evidence(
                text.codePointCount(0, part.start()),
                text.codePointCount(0, part.end()),
                CodePoints.count(text),
                tokens,
                List.of(),
                part);
    }

    /**
     * Some sentences in a row, from 0.
     *
     * @param from the first
     * @param to the one after the last
     */
    public record Range(int from, int to) {
        /** How many sentences these are. */
        public int size() {
            return to - from;
        }

        /** Whether a sentence is in both. */
        public boolean overlaps(Range other) {
            return from < other.to && other.from < to;
        }
    }

    /** The sentences that a part of the text reaches into; empty where it holds nothing but white space. */
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

    /** The sentences of a range, each whole. */
    public List<String> of(Range range) {
        return spans.subList(range.from(), range.to()).stream()
                .map(span -> span.of(text))
                .toList();
    }

    /** All but those of a range, in their order. */
    public List<String> without(Range range) {
        List<String> rest = new ArrayList<>(of(new Range(0, range.from())));
        rest.addAll(of(new Range(range.to(), size())));
        return List.copyOf(rest);
    }

    /** All of them, in their order. */
    public List<String> all() {
        return of(new Range(0, size()));
    }

    /** Sentences of this text or another as one text. */
    public String join(List<String> sentences) {
        return String.join(joint, sentences);
    }

    /** The texts with others put in before a sentence, all as one text; before the end where {@code at} is the size. */
    public String inserted(List<String> sentences, int at, List<String> others) {
        List<String> all = new ArrayList<>(sentences.subList(0, at));
        all.addAll(others);
        all.addAll(sentences.subList(at, sentences.size()));
        return join(all);
    }
}
