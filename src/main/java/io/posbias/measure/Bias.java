package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a model does with positions where the content stays the same, in one word: told by the {@linkplain PositionLoss net loss
 * at the back} alone. It is {@code none} where the whole interval of that loss lies within the equivalence bounds; else a
 * direction where its test rejects, or {@code truncation} where that is not found among queries whose evidence the model reads
 * at every place; else {@code undecided}. Of {@linkplain io.posbias.stats.Clusters#areFew too few} units there is no verdict.
 *
 * <p>The middle against both ends names no direction: there is text near the evidence on both sides in the middle and on one at
 * the ends, so that models that see no positions but a window of text prefer the middle too.
 */
public enum Bias {
    PRIMACY("evidence at the front scores higher than at the back"),
    RECENCY("evidence at the back scores higher than at the front"),
    TRUNCATION("evidence scores lower where the model does not read it; where it reads all, no direction is found"),
    NONE("front and back are equivalent"),
    /** Results of earlier versions name what the middle against both ends, or a single place, seemed to say. */
    @JsonAlias({"middle", "edges", "uneven"})
    UNDECIDED("too few queries to tell"),
    TOO_FEW("no verdict: queries of too few units");

    /** The loss at the back, of either sign, that does not matter, unless told otherwise. */
    public static final double EQUIVALENCE = 0.02;

    private final String meaning;

    Bias(String meaning) {
        this.meaning = meaning;
    }

    /**
     * What it says, with its thresholds, for people.
     *
     * @param equivalence the loss that does not matter
     */
    public String meaning(double confidence, double equivalence) {
        String level = Verdict.print(1 - confidence);
        String bounds = Verdict.print(100 * equivalence) + "%";
        String thresholds = switch (this) {
            case PRIMACY, RECENCY -> " (p of the loss below " + level + ", interval not within " + bounds + ")";
            case NONE -> " (the interval of the loss lies within " + bounds + " of 0)";
            case UNDECIDED -> " (p of the loss at least " + level + ", interval not within " + bounds + ")";
            case TRUNCATION, TOO_FEW -> "";
        };
        return "with the content held fixed, " + meaning + thresholds;
    }

    /** The word. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether it says at which end evidence scores higher. */
    boolean isDirection() {
        return this == PRIMACY || this == RECENCY;
    }

    /**
     * The verdict of a loss, whatever was read.
     *
     * @param loss at the back; null where a mean is 0
     * @param frontMinusBack tested where there is no loss
     * @param equivalence the loss that does not matter, as a fraction
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

    /** The direction of a loss or of front - back; null where its test does not reject. */
    static @Nullable Bias direction(@Nullable Estimate contrast, double confidence) {
        return contrast == null || contrast.pValue() >= 1 - confidence
                ? null
                : contrast.value() > 0 ? PRIMACY : RECENCY;
    }
}
