package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Dependence of scores on the evidence's position. A query's position is the middle of the evidence divided by the passage's
 * length or, if lengths are unknown, the index of its bucket scaled to 0..1. Front is below 1/3, back from 2/3.
 *
 * @param slope change of the score from the front to the end
 * @param pearson null if all scores are equal
 * @param spearman null if all scores are equal
 * @param kendall null if all scores are equal; without a p-value if queries share a cluster
 * @param frontMinusBack null if an end has fewer than two clusters or no variance
 * @param middleMinusEnds mean of the middle minus the mean of front and back; null if a third has fewer than two clusters or no
 *     variance
 * @param outcome null without draws
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"position", "queries", "outcome"})
public record Direction(
        Scale position,
        int queries,
        Estimate slope,
        @Nullable Correlation pearson,
        @Nullable Correlation spearman,
        @Nullable Correlation kendall,
        @Nullable Estimate frontMinusBack,
        @Nullable Estimate middleMinusEnds,
        @Nullable TestOutcome outcome) {

    public enum Scale {
        /** Middle of the evidence divided by the passage's length. */
        RELATIVE,
        /** Index of the bucket. */
        BUCKET;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int LEAST = 3;

    /**
     * Estimates the dependence.
     *
     * @param positions 0 to 1
     * @return null for fewer than three queries, one position or one cluster
     */
    static @Nullable Direction of(
            double[] positions, double[] scores, Clusters clusters, Scale scale, Psi psi, double confidence) {
        if (positions.length < LEAST
                || clusters.count() < 2
                || Moments.of(positions).squares() == 0) {
            return null;
        }
        Estimate slope = Estimate.ofSlope(positions, scores, clusters, confidence);
        int[] front = part(positions, Direction::isFront);
        int[] middle = part(positions, position -> !isFront(position) && !isBack(position));
        int[] back = part(positions, Direction::isBack);
        return new Direction(
                scale,
                positions.length,
                slope,
                known(Correlation.pearson(positions, scores, clusters)),
                known(Correlation.spearman(positions, scores, clusters)),
                known(Correlation.kendall(positions, scores, clusters)),
                contrast(scores, new int[][] {front, back}, new double[] {1, -1}, clusters, confidence),
                contrast(scores, new int[][] {front, middle, back}, new double[] {-0.5, 1, -0.5}, clusters, confidence),
                TestOutcome.ofProfile(psi, slope, clusters, confidence));
    }

    /**
     * Estimates the dependence of bucket means on the middle of their bucket, each bucket once and independent, as the authors of PosIR
     * (arXiv:2601.08363) do; without contrasts of thirds.
     *
     * @return null for fewer than three filled buckets
     */
    public static @Nullable Direction ofBins(List<BucketMean> buckets, double confidence) {
        int[] filled = IntStream.range(0, buckets.size())
                .filter(bucket -> buckets.get(bucket).mean() != null)
                .toArray();
        if (filled.length < LEAST) {
            return null;
        }
        double[] middles = Arrays.stream(filled)
                .mapToDouble(bucket -> (bucket + 0.5) / buckets.size())
                .toArray();
        double[] means = Arrays.stream(filled)
                .mapToDouble(
                        bucket -> Objects.requireNonNull(buckets.get(bucket).mean()))
                .toArray();
        Clusters single = Clusters.single(filled.length);
        return new Direction(
                Scale.BUCKET,
                filled.length,
                Estimate.ofSlope(middles, means, single, confidence),
                known(Correlation.pearson(middles, means, single)),
                known(Correlation.spearman(middles, means, single)),
                known(Correlation.kendall(middles, means, single)),
                null,
                null,
                null);
    }

    /** Relative positions if all queries in a bucket have one. */
    static Scale scale(List<Query> queries, int[] placed) {
        return Arrays.stream(placed).allMatch(query -> {
                    Evidence evidence = queries.get(query).evidence();
                    return evidence != null && evidence.isPlaced();
                })
                ? Scale.RELATIVE
                : Scale.BUCKET;
    }

    /**
     * Positions by the queries' {@link #scale}.
     *
     * @param placed the queries in a bucket
     */
    static double[] positions(List<Query> queries, QueryBuckets placement, int[] placed) {
        boolean relative = scale(queries, placed) == Scale.RELATIVE;
        return Arrays.stream(placed)
                .mapToDouble(query -> relative
                        ? Objects.requireNonNull(queries.get(query).evidence()).relativePosition()
                        : placement.placeOf(query))
                .toArray();
    }

    static boolean isFront(double position) {
        return position < 1.0 / 3;
    }

    static boolean isBack(double position) {
        return position >= 2.0 / 3;
    }

    private static int[] part(double[] positions, DoublePredicate third) {
        return IntStream.range(0, positions.length)
                .filter(i -> third.test(positions[i]))
                .toArray();
    }

    /** A contrast of means of scores; null if a part has fewer than two clusters or no variance. */
    static @Nullable Estimate contrast(
            double[] scores, int[][] parts, double[] weights, Clusters clusters, double confidence) {
        return Estimate.canContrast(scores, parts, clusters)
                ? Estimate.ofContrast(scores, parts, weights, clusters, confidence)
                        .ofScores()
                : null;
    }

    private static @Nullable Correlation known(Correlation correlation) {
        return Double.isNaN(correlation.coefficient()) ? null : correlation;
    }
}
