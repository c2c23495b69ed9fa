package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.stats.Clusters;
import io.posbias.stats.Correlation;
import io.posbias.stats.Estimate;
import io.posbias.stats.Moments;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How scores go with the position of the evidence. Each query counts once, with its score and its relative position: the
 * middle of the evidence over the length of the passage, or, where lengths are not known, the place of its bucket among
 * all buckets, first 0 and last 1. Front is below 1/3, back from 2/3.
 *
 * @param position what positions are
 * @param queries how many queries have a position
 * @param slope of the score on the position: change from the very front to the very end
 * @param pearson of score and position; null when all scores are equal
 * @param spearman likewise
 * @param kendall likewise; without a p-value where queries share a cluster
 * @param frontMinusBack mean score of the front minus that of the back; null when the queries of one of them are of fewer than
 *     two clusters, or all score the same
 * @param middleMinusEnds mean score of the middle minus the mean of front and back; null likewise
 * @param verdict of PSI and slope; null when no draws were requested
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

    private static final int LEAST = 3;

    /**
     * The direction of scores.
     *
     * @param positions of the queries, 0 to 1
     * @param scores of the same queries
     * @param clusters of the same queries
     * @param psi of the same queries, with its noise
     * @return null when there are fewer than three queries, or all have one position or are of one cluster
     */
    static @Nullable Direction of(
            double[] positions, double[] scores, Clusters clusters, Scale scale, Psi psi, double confidence) {
        if (positions.length < LEAST
                || clusters.count() < 2
                || Moments.of(positions).squares() == 0) {
            return null;
        }
        Estimate slope = Estimate.ofSlope(positions, scores, clusters, confidence);
        int[] front = part(positions, 0, 1.0 / 3);
        int[] middle = part(positions, 1.0 / 3, 2.0 / 3);
        int[] back = part(positions, 2.0 / 3, Double.POSITIVE_INFINITY);
        return new Direction(
                scale,
                positions.length,
                slope,
                known(Correlation.pearson(positions, scores, clusters)),
                known(Correlation.spearman(positions, scores, clusters)),
                known(Correlation.kendall(positions, scores, clusters)),
                contrast(scores, new int[][] {front, back}, new double[] {1, -1}, clusters, confidence),
                contrast(scores, new int[][] {front, middle, back}, new double[] {-0.5, 1, -0.5}, clusters, confidence),
                Verdict.of(psi, slope, clusters, confidence));
    }

    private static int[] part(double[] positions, double from, double to) {
        return IntStream.range(0, positions.length)
                .filter(i -> positions[i] >= from && positions[i] < to)
                .toArray();
    }

    private static @Nullable Estimate contrast(
            double[] scores, int[][] parts, double[] weights, Clusters clusters, double confidence) {
        return Estimate.canContrast(scores, parts, clusters)
                ? Estimate.ofContrast(scores, parts, weights, clusters, confidence)
                : null;
    }

    private static @Nullable Correlation known(Correlation correlation) {
        return Double.isNaN(correlation.coefficient()) ? null : correlation;
    }
}
