package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of the test of a model's position bias with the content held fixed, decided by the {@linkplain PositionLoss net loss at
 * the back} alone: {@code none} if the interval of the loss lies within the equivalence bounds; otherwise a direction
 * if its test rejects, and {@code undecided} if it does not. {@linkplain io.posbias.base.stats.Clusters#areFew Too few} clusters
 * prevent a verdict. {@link LossParts} say how much of it is not reading.
 *
 * <p>Middle against ends gives no direction: evidence in the middle has context on both sides, evidence at the ends on
 * one, so a position-blind model that reads a window of text scores higher in the middle.
 */
public enum Bias {
    PRIMACY("evidence at the front scores higher than at the back"),
    RECENCY("evidence at the back scores higher than at the front"),
    NONE("front and back are equivalent"),
    /** Earlier versions had verdicts by middle against ends and by single places. */
    @JsonAlias({"middle", "edges", "uneven"})
    UNDECIDED("more queries are needed, posbias plan says how many"),
    TOO_FEW("no verdict: too few clusters, posbias plan says how many are needed");

    /** Default of the equivalence bounds: losses from -2 % to 2 % count as none. */
    public static final double EQUIVALENCE = 0.02;

    private final String meaning;

    Bias(String meaning) {
        this.meaning = meaning;
    }

    /**
     * Explains the verdict with its thresholds.
     *
     * @param equivalence bound of the loss, as a fraction
     */
    public String meaning(double confidence, double equivalence) {
        String level = ProfileOutcome.print(1 - confidence);
        String bounds = ProfileOutcome.print(100 * equivalence) + "%";
        String thresholds = switch (this) {
            case PRIMACY, RECENCY -> " (p of the loss below " + level + ", interval not within " + bounds + ")";
            case NONE -> " (the interval of the loss lies within " + bounds + " of 0)";
            case UNDECIDED -> " (p of the loss at least " + level + ", interval not within " + bounds + ")";
            case TOO_FEW -> "";
        };
        return "with the content held fixed, " + meaning + thresholds;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** True for primacy and recency. */
    boolean isDirection() {
        return this == PRIMACY || this == RECENCY;
    }

    /**
     * The verdict before truncation is considered.
     *
     * @param loss at the back; null if a mean is 0
     * @param frontMinusBack tested if the loss is undefined
     * @param equivalence bound of the loss, as a fraction
     */
    static Bias of(@Nullable Estimate loss, Estimate frontMinusBack, double equivalence, double confidence) {
        if (loss != null && isWithin(loss.interval(), equivalence)) {
            return NONE;
        }
        Bias direction = direction(loss == null ? frontMinusBack : loss, confidence);
        return direction == null ? UNDECIDED : direction;
    }

    private static boolean isWithin(Interval interval, double equivalence) {
        return -equivalence <= interval.low() && interval.high() <= equivalence;
    }

    /** The direction of a loss or of front - back; null if its test does not reject. */
    static @Nullable Bias direction(@Nullable Estimate contrast, double confidence) {
        return contrast == null || contrast.pValue() >= 1 - confidence
                ? null
                : contrast.value() > 0 ? PRIMACY : RECENCY;
    }
}
