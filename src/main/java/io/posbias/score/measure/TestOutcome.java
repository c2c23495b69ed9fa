package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a test of positions, one of the facts behind a {@link Verdict}. Its words mean what they mean there; with {@linkplain
 * Clusters#areFew too few} clusters nothing is tested.
 *
 * <p>Of PSI and slope of a profile ({@link #ofProfile}), whose queries differ in content from position to position, so that it
 * names no bias: {@link #DIFFER}, {@link #EVEN} or {@link #OPEN}. Of the loss at the back of the same evidence ({@link #ofLoss}):
 * {@link #PRIMACY}, {@link #RECENCY}, {@link #EVEN} or {@link #OPEN}. Middle against ends gives no direction: evidence in the middle
 * has context on both sides, evidence at the ends on one, so a position-blind model that reads a window of text scores higher in
 * the middle.
 */
public enum TestOutcome {
    /** The same evidence scores higher at the front than at the back. */
    PRIMACY,
    /** The same evidence scores higher at the back than at the front. */
    RECENCY,
    DIFFER,
    /** Earlier versions called it none. */
    @JsonAlias("none")
    EVEN,
    /** Earlier versions called it undecided, and had outcomes by middle against ends and by single places. */
    @JsonAlias({"undecided", "middle", "edges", "uneven"})
    OPEN,
    TOO_FEW;

    /** Default of the equivalence bounds: losses from -2 % to 2 % count as none. */
    public static final double EQUIVALENCE = 0.02;

    /** Largest noise floor of PSI for {@link #EVEN}. */
    public static final double SEEN = 0.1;

    static final int SLOPE_PART = 10;

    /**
     * The outcome of the tests of a profile. With a = 1 - confidence, positions differ if PSI's test rejects at a, or the slope's at
     * a / {@value #SLOPE_PART}; they are even if neither p is below a and PSI's noise floor is at most {@value #SEEN}. PSI's
     * interval is above 0 exactly if its test rejects at a, and at 0.95 exactly if PSI is above its noise floor. PSI of many buckets
     * has little power against a straight line, which the slope detects; its small part of the level keeps the overall error at
     * about a (unequal allocation, Moy&eacute; 2000).
     *
     * @param clusters of the queries in a bucket
     * @return null without draws
     */
    static @Nullable TestOutcome ofProfile(Psi psi, Estimate slope, Clusters clusters, double confidence) {
        if (psi.undefined() != null) {
            return clusters.areFew() ? TOO_FEW : OPEN;
        }
        Double p = psi.pValue();
        Double noise = psi.noise95();
        if (p == null || noise == null) {
            return null;
        }
        if (clusters.areFew()) {
            return TOO_FEW;
        }
        double level = 1 - confidence;
        if (p < level || slope.pValue() < level / SLOPE_PART) {
            return DIFFER;
        }
        return slope.pValue() >= level && noise <= SEEN ? EVEN : OPEN;
    }

    /**
     * The outcome of the test of the {@linkplain PositionLoss net loss at the back}: even if its interval lies within the
     * equivalence bounds; otherwise a direction if its test rejects, and open if it does not. {@link LossParts} say how much of it
     * is not reading.
     *
     * @param loss at the back; null if a mean is 0
     * @param frontMinusBack tested if the loss is undefined
     * @param equivalence bound of the loss, as a fraction
     */
    static TestOutcome ofLoss(@Nullable Estimate loss, Estimate frontMinusBack, double equivalence, double confidence) {
        if (loss != null && isWithin(loss.interval(), equivalence)) {
            return EVEN;
        }
        Estimate tested = loss == null ? frontMinusBack : loss;
        return tested.pValue() >= 1 - confidence ? OPEN : tested.value() > 0 ? PRIMACY : RECENCY;
    }

    private static boolean isWithin(Interval interval, double equivalence) {
        return -equivalence <= interval.low() && interval.high() <= equivalence;
    }

    boolean isDirection() {
        return this == PRIMACY || this == RECENCY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
