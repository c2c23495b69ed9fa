package io.posbias.calibrate;

import io.posbias.calibrate.ReferenceEncoder.Score;
import io.posbias.calibrate.ReferenceEncoder.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A bias that is built into a reference encoder.
 *
 * @param kind of bias
 * @param strength as {@link ReferenceEncoder} has it: its strength for positions, the size of its brevity for lengths, its
 *     literalness for {@link Kind#LITERAL}; 0 for kinds without strengths
 */
public record Planted(Kind kind, double strength) {
    private static final int DIMENSION = 192;

    /** What is built in. */
    public enum Kind {
        /** A bag of words by cosine: blind to places, likes short texts and repetition as cosines do. */
        FLAT(Shape.FLAT),
        /** Tokens weigh most at the beginning. */
        PRIMACY(Shape.PRIMACY),
        /** Tokens weigh most at the end. */
        RECENCY(Shape.RECENCY),
        /** Tokens weigh most in the middle. */
        MIDDLE(Shape.MIDDLE),
        /** Inner products of sums: other words of a text change nothing in expectation, few or many. */
        NEUTRAL(Shape.FLAT),
        /** What is asked for counts the less the longer the text is. */
        SHORT(Shape.FLAT),
        /** What is asked for counts the more the longer the text is. */
        LONG(Shape.FLAT),
        /** Two names of a thing match by 1 - strength; everywhere else they do not match at all. */
        LITERAL(Shape.FLAT),
        /** Late interaction: blind to places, to repetition, and to whatever else a text holds. */
        LATE_FLAT(Shape.FLAT),
        /** Late interaction whose tokens weigh most at the beginning. */
        LATE_PRIMACY(Shape.PRIMACY),
        /** Late interaction whose tokens weigh most at the end. */
        LATE_RECENCY(Shape.RECENCY);

        private final Shape shape;

        Kind(Shape shape) {
            this.shape = shape;
        }

        /** Where its tokens weigh most. */
        Shape shape() {
            return shape;
        }

        /** From weak to strong; empty where there are no degrees. */
        private List<Double> strengths() {
            return switch (this) {
                case FLAT, NEUTRAL, LATE_FLAT -> List.of();
                case PRIMACY, RECENCY, MIDDLE -> List.of(0.5, 1.0, 2.0);
                case SHORT -> List.of(0.25, 0.5);
                // Not 0.4: there a poisoned text of 22 words is worth as much as the evidence among 130.
                case LONG -> List.of(0.2, 0.6);
                case LITERAL -> List.of(0.0, 0.25, 0.5, 1.0);
                case LATE_PRIMACY, LATE_RECENCY -> List.of(0.5, 1.0);
            };
        }

        /** Whether it is planted in several strengths. */
        public boolean isGraded() {
            return !strengths().isEmpty();
        }

        /** Whether it is late interaction. */
        boolean isLate() {
            return this == LATE_FLAT || this == LATE_PRIMACY || this == LATE_RECENCY;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Every bias that is planted: kind by kind, from weak to strong. */
    public static List<Planted> all() {
        List<Planted> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (!kind.isGraded()) {
                all.add(new Planted(kind, 0));
            }
            for (double strength : kind.strengths()) {
                all.add(new Planted(kind, strength));
            }
        }
        return all;
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
        return new ReferenceEncoder(
                model(),
                kind.shape(),
                kind.shape() == Shape.FLAT ? 0 : strength,
                score(),
                kind == Kind.LITERAL ? strength : 1,
                DIMENSION,
                seed,
                maxTokens);
    }

    private Score score() {
        return switch (kind) {
            case FLAT, PRIMACY, RECENCY, MIDDLE, LITERAL -> Score.COSINE;
            case NEUTRAL, SHORT, LONG -> Score.product(brevity());
            case LATE_FLAT, LATE_PRIMACY, LATE_RECENCY -> Score.MAX_SIM;
        };
    }

    @Override
    public String toString() {
        return kind.isGraded() ? kind + " " + strength : kind.toString();
    }
}
