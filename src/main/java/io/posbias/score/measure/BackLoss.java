package io.posbias.score.measure;

import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.data.position.Strata;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A system's loss at the back on one benchmark, 1 - back / front, with its errors per cluster, so that losses can be compared
 * and combined.
 *
 * @param queries behind it
 * @param clusters of these queries
 * @param logs of which log front - log back is a weighted sum
 * @param weights of the logarithms
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record BackLoss(int queries, Clusters clusters, ClusterRobustEstimates logs, double[] weights) {
    /**
     * The loss with the content held fixed, as {@link PositionLoss} has it.
     *
     * @param rows of one number of places
     * @return null if a mean is 0, or for fewer than two clusters
     */
    public static @Nullable BackLoss ofPlaces(List<ScoresByPlace> rows, Settings settings) {
        return new ContentFixedFit(settings, "", 1).loss(rows);
    }

    /**
     * The loss of a profile: back is its last bucket with queries, front its first.
     *
     * @param scores one per query of the placement
     * @return null if a mean is 0, or for fewer than two buckets or clusters
     */
    public static @Nullable BackLoss ofProfile(double[] scores, QueryBuckets placement) {
        List<int[]> filled = placement.byBucket(placement.members(Strata.ALL)).stream()
                .filter(bucket -> bucket.length > 0)
                .toList();
        if (filled.size() < 2) {
            return null;
        }
        int[][] ends = {filled.getFirst(), filled.getLast()};
        ClusterRobustEstimates means = ClusterRobustEstimates.ofMeans(
                scores, ends, placement.clustering().clusters());
        if (means.clusters() < 2 || Arrays.stream(means.values()).anyMatch(mean -> mean <= 0)) {
            return null;
        }
        int[] rows = Arrays.stream(ends).flatMapToInt(Arrays::stream).distinct().toArray();
        return new BackLoss(rows.length, placement.clustering().clusters().at(rows), means.log(), new double[] {1, -1});
    }

    /** Log front - log back. */
    public double value() {
        return IntStream.range(0, weights.length)
                .mapToDouble(i -> weights[i] * logs.values()[i])
                .sum();
    }

    /** Standard error of {@link #value}. */
    public double standardError() {
        return logs.standardError(weights);
    }

    /** The loss with t interval and test. */
    public Estimate loss(double confidence) {
        return share(logs.contrast(weights, confidence));
    }

    /**
     * Subtracts another system's on the same queries.
     *
     * @return log front - log back of this, minus that of the other
     */
    public BackLoss minus(BackLoss other) {
        return new BackLoss(queries, clusters, logs.minus(other.logs), weights);
    }

    /** Converts an estimate of log front - log back to one of 1 - back / front. */
    public static Estimate share(Estimate log) {
        return new Estimate(share(log.value()), share(log.interval()), log.pValue());
    }

    /** Converts an interval of log front - log back. */
    public static Interval share(Interval log) {
        return new Interval(share(log.low()), share(log.high()));
    }

    private static double share(double log) {
        return -Math.expm1(-log);
    }
}
