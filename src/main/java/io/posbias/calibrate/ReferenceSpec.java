package io.posbias.calibrate;

import io.posbias.Suggestions;
import io.posbias.calibrate.ReferenceEncoder.ReferenceScore;
import io.posbias.calibrate.ReferenceEncoder.Shape;
import io.posbias.calibrate.ReferenceEncoder.Way;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A bias that is built into a reference encoder.
 *
 * @param kind of bias
 * @param strength as {@link ReferenceEncoder} has it: its strength for positions, the size of its brevity for lengths, its
 *     literalness for {@link ReferenceKind#LITERAL}; 0 for kinds without strengths
 */
public record ReferenceSpec(ReferenceKind kind, double strength) {
    private static final int DIMENSION = 192;

    /** What is built in. */
    public enum ReferenceKind {
        /** A bag of words by cosine: blind to places, likes short texts and repetition as cosines do. */
        FLAT(Shape.FLAT, Way.COSINE),
        /** Tokens weigh most at the beginning. */
        PRIMACY(Shape.PRIMACY, Way.COSINE, 0.5, 1, 2),
        /** Tokens weigh most at the end. */
        RECENCY(Shape.RECENCY, Way.COSINE, 0.5, 1, 2),
        /** Tokens weigh most in the middle. */
        MIDDLE(Shape.MIDDLE, Way.COSINE, 0.5, 1, 2),
        /** Inner products of sums: other words of a text change nothing in expectation, few or many. */
        NEUTRAL(Shape.FLAT, Way.PRODUCT),
        /** What is asked for counts the less the longer the text is. */
        SHORT(Shape.FLAT, Way.PRODUCT, 0.25, 0.5),
        /**
         * What is asked for counts the more the longer the text is. Not 0.4: there a poisoned text of 22 words is worth as
         * much as the evidence among 130.
         */
        LONG(Shape.FLAT, Way.PRODUCT, 0.2, 0.6),
        /** Two names of a thing match by 1 - strength; everywhere else they do not match at all. */
        LITERAL(Shape.FLAT, Way.COSINE, 0, 0.25, 0.5, 1),
        /**
         * The best of windows of {@value ReferenceEncoder#WINDOW} words by cosine: blind to places, but more windows hold the
         * evidence in the middle of a text than at its ends, so that it prefers the middle.
         */
        MAX_P(Shape.FLAT, Way.MAX_P),
        /** Late interaction: blind to places, to repetition, and to whatever else a text holds. */
        LATE_FLAT(Shape.FLAT, Way.MAX_SIM),
        /** Late interaction whose tokens weigh most at the beginning. */
        LATE_PRIMACY(Shape.PRIMACY, Way.MAX_SIM, 0.5, 1),
        /** Late interaction whose tokens weigh most at the end. */
        LATE_RECENCY(Shape.RECENCY, Way.MAX_SIM, 0.5, 1);

        private final Shape shape;
        private final Way way;

        @SuppressWarnings("ImmutableEnumChecker") // a list that is not written to
        private final List<Double> strengths;

        /** @param strengths from weak to strong; none where there are no degrees */
        ReferenceKind(Shape shape, Way way, double... strengths) {
            this.shape = shape;
            this.way = way;
            this.strengths = Arrays.stream(strengths).boxed().toList();
        }

        Shape shape() {
            return shape;
        }

        /** Whether it is planted in several strengths. */
        public boolean isGraded() {
            return !strengths.isEmpty();
        }

        boolean isLate() {
            return way == Way.MAX_SIM;
        }

        @Override
        public String toString() {
            return Suggestions.word(this);
        }
    }

    /** Every bias that is planted: kind by kind, from weak to strong. */
    public static List<ReferenceSpec> all() {
        return Stream.of(ReferenceKind.values())
                .flatMap(kind -> (kind.isGraded() ? kind.strengths : List.of(0.0))
                        .stream().map(strength -> new ReferenceSpec(kind, strength)))
                .toList();
    }

    /**
     * Biases that real texts can show: flat weights, primacy and recency. Windows are left out: words of a question before and
     * after its evidence are not mirror images, so that they have a direction which is content.
     */
    static List<ReferenceSpec> forRealTexts() {
        Set<ReferenceKind> kinds =
                EnumSet.of(ReferenceKind.FLAT, ReferenceKind.PRIMACY, ReferenceKind.RECENCY, ReferenceKind.LATE_FLAT);
        return all().stream().filter(planted -> kinds.contains(planted.kind)).toList();
    }

    /** How the length of a text scales its vector: n^-brevity; 0 where lengths are not what is planted. */
    double brevity() {
        return switch (kind) {
            case SHORT -> strength;
            case LONG -> -strength;
            default -> 0;
        };
    }

    /** What a table of models calls it: reference-primacy-2. */
    public String model() {
        String number = String.valueOf(strength);
        String plain = number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
        return "reference-" + kind + (kind.isGraded() ? "-" + plain : "");
    }

    /**
     * The encoder with the bias in it.
     *
     * @param seed of the words' vectors
     * @param maxTokens of a text
     */
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
