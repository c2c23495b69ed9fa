package io.posbias.study.calibrate;

import io.posbias.base.text.Suggestions;
import io.posbias.study.calibrate.ReferenceEncoder.ReferenceScore;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.ReferenceEncoder.Way;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Bias of a reference encoder.
 *
 * @param strength decay for positions, absolute brevity for lengths, literalness for {@link ReferenceKind#LITERAL}; 0 for kinds
 *     without strengths
 */
public record ReferenceSpec(ReferenceKind kind, double strength) {
    private static final int DIMENSION = 192;

    public enum ReferenceKind {
        /** Bag of words by cosine: position-blind; prefers short texts and repetition, as cosines do. */
        FLAT(Shape.FLAT, Way.COSINE),
        /** Tokens weigh most at the beginning. */
        PRIMACY(Shape.PRIMACY, Way.COSINE, 0.5, 1, 2),
        /** Tokens weigh most at the end. */
        RECENCY(Shape.RECENCY, Way.COSINE, 0.5, 1, 2),
        /** Tokens weigh most in the middle. */
        MIDDLE(Shape.MIDDLE, Way.COSINE, 0.5, 1, 2),
        /** Inner products of sums: unrelated words change nothing in expectation. */
        NEUTRAL(Shape.FLAT, Way.PRODUCT),
        /** Matches count less in longer texts. */
        SHORT(Shape.FLAT, Way.PRODUCT, 0.25, 0.5),
        /** Matches count more in longer texts. Without 0.4: there a poisoned text of 22 words equals the evidence among 130. */
        LONG(Shape.FLAT, Way.PRODUCT, 0.2, 0.6),
        /** Two names of a concept match by 1 - strength. */
        LITERAL(Shape.FLAT, Way.COSINE, 0, 0.25, 0.5, 1),
        /**
         * Best window of {@value ReferenceEncoder#WINDOW} words by cosine: position-blind, but more windows contain evidence in
         * the middle of a text, so that it prefers the middle.
         */
        MAX_P(Shape.FLAT, Way.MAX_P),
        /** Late interaction: blind to position, repetition and other content. */
        LATE_FLAT(Shape.FLAT, Way.MAX_SIM),
        /** Late interaction whose tokens weigh most at the beginning. */
        LATE_PRIMACY(Shape.PRIMACY, Way.MAX_SIM, 0.5, 1),
        /** Late interaction whose tokens weigh most at the end. */
        LATE_RECENCY(Shape.RECENCY, Way.MAX_SIM, 0.5, 1);

        private final Shape shape;
        private final Way way;

        @SuppressWarnings("ImmutableEnumChecker") // a list that is not written to
        private final List<Double> strengths;

        /**
         * @param strengths ascending; empty for kinds without strengths
         */
        ReferenceKind(Shape shape, Way way, double... strengths) {
            this.shape = shape;
            this.way = way;
            this.strengths = Arrays.stream(strengths).boxed().toList();
        }

        Shape shape() {
            return shape;
        }

        /** Returns true for kinds with several strengths. */
        public boolean isGraded() {
            return !strengths.isEmpty();
        }

        @Override
        public String toString() {
            return Suggestions.word(this);
        }
    }

    /** All planted biases: by kind, from weak to strong. */
    public static List<ReferenceSpec> all() {
        return Stream.of(ReferenceKind.values())
                .flatMap(kind -> (kind.isGraded() ? kind.strengths : List.of(0.0))
                        .stream().map(strength -> new ReferenceSpec(kind, strength)))
                .toList();
    }

    /**
     * Biases that real texts can show: flat weights, primacy and recency. Excludes windows: words before and after evidence are
     * not mirror images, which is a direction by content.
     */
    static List<ReferenceSpec> forRealTexts() {
        Set<ReferenceKind> kinds =
                EnumSet.of(ReferenceKind.FLAT, ReferenceKind.PRIMACY, ReferenceKind.RECENCY, ReferenceKind.LATE_FLAT);
        return all().stream().filter(planted -> kinds.contains(planted.kind)).toList();
    }

    /** Exponent of the text length in the vector's scale, n^-brevity. */
    double brevity() {
        return switch (kind) {
            case SHORT -> strength;
            case LONG -> -strength;
            default -> 0;
        };
    }

    /** Returns the model's name, for example reference-primacy-2. */
    public String model() {
        String number = String.valueOf(strength);
        String plain = number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
        return "reference-" + kind + (kind.isGraded() ? "-" + plain : "");
    }

    public ReferenceEncoder encoder(long seed, int maxTokens) {
        return encoder(DIMENSION, seed, maxTokens);
    }

    ReferenceEncoder encoder(int dimension, long seed, int maxTokens) {
        return new ReferenceEncoder(
                model(),
                kind.shape(),
                kind.shape() == Shape.FLAT ? 0 : strength,
                new ReferenceScore(kind.way, brevity()),
                kind == ReferenceKind.LITERAL ? strength : 1,
                dimension,
                seed,
                maxTokens,
                0);
    }

    @Override
    public String toString() {
        return kind.isGraded() ? kind + " " + strength : kind.toString();
    }
}
