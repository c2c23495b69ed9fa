package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.stats.Correlation;
import io.posbias.stats.Estimate;
import io.posbias.stats.Moments;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where in the passage evidence is found best. Each query counts once, with its score and its relative position: the
 * middle of the evidence over the length of the passage, or, where lengths are not known, the place of its bucket among
 * all buckets, first 0 and last 1.
 *
 * <p>The verdict: positions differ when PSI's permutation test or the slope's t test rejects at half the level (Bonferroni
 * over the two). If they do not differ it is {@code none} when PSI's noise floor is at most {@value #SEEN}, and
 * {@code undecided} when it is larger, because a real PSI of that size could hide in it. If they differ, the larger of two
 * contrasts whose interval excludes 0 decides: front minus back gives {@code primacy} or {@code recency}, middle minus the
 * mean of both gives {@code middle} or {@code edges}; if neither excludes 0, a significant slope gives {@code primacy} or
 * {@code recency}, else it is {@code uneven}. Front is below 1/3, back from 2/3.
 *
 * @param position what positions are
 * @param queries how many queries have a position
 * @param slope of the score on the position: change from the very front to the very end
 * @param pearson of score and position; null when all scores are equal
 * @param spearman likewise
 * @param kendall likewise
 * @param frontMinusBack mean score of the front minus that of the back; null when one of them holds fewer than two queries
 * @param middleMinusEnds mean score of the middle minus the mean of front and back; null likewise
 * @param verdict in one word; null when no draws were requested
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"position", "queries", "verdict"})
public record Direction(
        Scale position,
        int queries,
        Estimate slope,
        @Nullable Correlation pearson,
        @Nullable Correlation spearman,
        @Nullable Correlation kendall,
        @Nullable Estimate frontMinusBack,
        @Nullable Estimate middleMinusEnds,
        @Nullable Verdict verdict) {

    /** What positions are. */
    public enum Scale {
        /** The middle of the evidence over the length of the passage. */
        RELATIVE,
        /** Places of buckets among all buckets. */
        BUCKET;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The PSI that must be seen for its absence to count. */
    public static final double SEEN = 0.1;

    private static final int LEAST = 3;

    /**
     * The direction of scores.
     *
     * @param positions of the queries, 0 to 1
     * @param scores of the same queries
     * @param psi of the same profile
     * @return null when there are fewer than three queries or all have one position
     */
    static @Nullable Direction of(double[] positions, double[] scores, Scale scale, Psi psi, double confidence) {
        if (positions.length < LEAST || Moments.of(positions).squares() == 0) {
            return null;
        }
        Estimate slope = Estimate.ofSlope(positions, scores, confidence);
        Moments front = part(positions, scores, 0, 1.0 / 3);
        Moments middle = part(positions, scores, 1.0 / 3, 2.0 / 3);
        Moments back = part(positions, scores, 2.0 / 3, Double.POSITIVE_INFINITY);
        Estimate frontMinusBack = front.n() < 2 || back.n() < 2 ? null : front.minus(back, confidence);
        Estimate middleMinusEnds = middle.n() < 2 || frontMinusBack == null
                ? null
                : Moments.contrast(new Moments[] {front, middle, back}, new double[] {-0.5, 1, -0.5}, confidence);
        return new Direction(
                scale,
                positions.length,
                slope,
                known(Correlation.pearson(positions, scores)),
                known(Correlation.spearman(positions, scores)),
                known(Correlation.kendall(positions, scores)),
                frontMinusBack,
                middleMinusEnds,
                verdict(psi, slope, frontMinusBack, middleMinusEnds, confidence));
    }

    private static Moments part(double[] positions, double[] scores, double from, double to) {
        int[] places = IntStream.range(0, scores.length)
                .filter(i -> positions[i] >= from && positions[i] < to)
                .toArray();
        return Moments.of(scores, places);
    }

    private static @Nullable Correlation known(Correlation correlation) {
        return Double.isNaN(correlation.coefficient()) ? null : correlation;
    }

    static @Nullable Verdict verdict(
            Psi psi, Estimate slope, @Nullable Estimate ends, @Nullable Estimate middle, double confidence) {
        Double pValue = psi.pValue();
        Double noise = psi.noise95();
        if (psi.undefined() != null) {
            return Verdict.UNDECIDED;
        }
        if (pValue == null || noise == null) {
            return null;
        }
        double level = (1 - confidence) / 2;
        if (pValue >= level && slope.pValue() >= level) {
            return noise <= SEEN ? Verdict.NONE : Verdict.UNDECIDED;
        }
        double towardsFront = beyondNoise(ends);
        double towardsMiddle = beyondNoise(middle);
        if (Math.abs(towardsMiddle) > Math.abs(towardsFront)) {
            return towardsMiddle > 0 ? Verdict.MIDDLE : Verdict.EDGES;
        }
        if (towardsFront != 0) {
            return ofEnds(towardsFront);
        }
        return slope.pValue() < level ? ofEnds(-slope.value()) : Verdict.UNEVEN;
    }

    private static Verdict ofEnds(double frontMinusBack) {
        return frontMinusBack > 0 ? Verdict.PRIMACY : Verdict.RECENCY;
    }

    /** A contrast whose interval excludes 0; else 0. */
    private static double beyondNoise(@Nullable Estimate contrast) {
        return contrast == null || contrast.interval().holds(0) ? 0 : contrast.value();
    }
}
