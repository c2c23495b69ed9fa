package io.posbias.data.dataset;

import io.posbias.base.text.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Spans of a passage that answer a query besides its evidence. Where there is one, the query does not show how well a model finds
 * answers at the place of the evidence.
 *
 * @param own sentences that the evidence overlaps
 * @param others spans outside these sentences, in UTF-16 units and in order
 */
public record SecondEvidence(Sentences sentences, Sentences.Range own, List<Span> others) {
    private static final String UNSPACED =
            "\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}";
    private static final String WORD = "[\\p{L}\\p{M}\\p{N}&&[^" + UNSPACED + "]]";
    private static final Pattern STARTS_AS_WORD = Pattern.compile("^" + WORD);
    private static final Pattern ENDS_AS_WORD = Pattern.compile(WORD + "$");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    public SecondEvidence {
        others = List.copyOf(others);
    }

    /** Places of the other spans, by the evidence. */
    public enum Side {
        NONE,
        BEFORE,
        AFTER,
        BOTH;

        /** Words of all values, in files. */
        public static final List<String> WORDS = Suggestions.words(List.of(values()));

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Finds the text of the evidence as {@link #byText(Sentences, Span, String)} finds an answer. */
    public static Optional<SecondEvidence> byText(Sentences sentences, Span evidence) {
        return byText(sentences, evidence, evidence.of(sentences.text()));
    }

    /**
     * Finds an answer, as whole words, outside the sentences of the evidence. Case and white space may differ. A number is whole
     * only without further digits ("5" is not in "1.5" or "5,000"); scripts without spaces have no borders of words.
     *
     * @param evidence in UTF-16 units
     * @param answer not blank
     * @return empty if the evidence is white space
     */
    public static Optional<SecondEvidence> byText(Sentences sentences, Span evidence, String answer) {
        return sentences.holding(evidence).map(own -> {
            List<Span> others = wholeWords(answer.strip())
                    .matcher(sentences.text())
                    .results()
                    .map(found -> new Span(found.start(), found.end()))
                    .filter(place -> sentences
                            .holding(place)
                            .filter(other -> !other.overlaps(own))
                            .isPresent())
                    .toList();
            return new SecondEvidence(sentences, own, others);
        });
    }

    /**
     * Selects the sentences that a model scores as high as the best sentence of the evidence.
     *
     * @param evidence in UTF-16 units
     * @param scores of the sentences for the query
     * @param margin that a sentence may be below the best of the evidence
     * @return empty if the evidence is white space
     */
    public static Optional<SecondEvidence> byScores(
            Sentences sentences, Span evidence, double[] scores, double margin) {
        return sentences.holding(evidence).map(own -> {
            double best = IntStream.range(own.from(), own.to())
                    .mapToDouble(i -> scores[i])
                    .max()
                    .orElseThrow();
            List<Span> others = new ArrayList<>();
            for (int i = 0; i < sentences.size(); i++) {
                if ((i < own.from() || i >= own.to()) && scores[i] >= best - margin) {
                    others.add(sentences.spans().get(i));
                }
            }
            return new SecondEvidence(sentences, own, others);
        });
    }

    private static Pattern wholeWords(String answer) {
        String words = String.join(
                "\\s+", SPACE.splitAsStream(answer).map(Pattern::quote).toList());
        String before = STARTS_AS_WORD.matcher(answer).find()
                ? "(?<!" + WORD + ")" + (Character.isDigit(answer.codePointAt(0)) ? "(?<!\\p{Nd}[.,])" : "")
                : "";
        String after = ENDS_AS_WORD.matcher(answer).find()
                ? "(?!" + WORD + ")"
                        + (Character.isDigit(answer.codePointBefore(answer.length())) ? "(?![.,]\\p{Nd})" : "")
                : "";
        return Pattern.compile(before + words + after, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    public boolean isFound() {
        return !others.isEmpty();
    }

    /** Returns the place of the other spans, by the sentences of the evidence. */
    public Side side() {
        int start = sentences.spans().get(own.from()).start();
        boolean before = others.stream().anyMatch(span -> span.start() < start);
        boolean after = others.stream().anyMatch(span -> span.start() > start);
        return before ? after ? Side.BOTH : Side.BEFORE : after ? Side.AFTER : Side.NONE;
    }
}
