package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores of the queries in a bucket. A query may be in several.
 *
 * @param queries ascending indexes
 * @param scores of these queries, in their order
 * @param clusters of these queries
 * @param filled the indexes of the queries in each bucket that has any
 * @param all the scores of all queries, by index
 * @param allClusters the clusters of all queries
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record PlacedScores(
        int[] queries, double[] scores, Clusters clusters, List<int[]> filled, double[] all, Clusters allClusters) {
    static PlacedScores of(double[] all, Clusters allClusters, List<int[]> buckets) {
        int[] queries = buckets.stream()
                .flatMapToInt(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        List<int[]> filled =
                buckets.stream().filter(bucket -> bucket.length > 0).toList();
        return new PlacedScores(queries, Moments.at(all, queries), allClusters.at(queries), filled, all, allClusters);
    }

    /** Interval of the mean of bucket means, each of two clusters or more; null without one. */
    @Nullable
    Interval bucketInterval(double confidence) {
        if (filled.isEmpty()) {
            return null;
        }
        Moments sample = Moments.of(scores, clusters);
        double[] weights = new double[filled.size()];
        Arrays.fill(weights, 1.0 / filled.size());
        return sample.squares() == 0
                ? sample.ofScores(confidence)
                : Estimate.ofContrast(all, filled.toArray(int[][]::new), weights, allClusters, confidence)
                        .interval()
                        .within(0, 1);
    }

    /** Draws of PSI under the null hypothesis; none without draws, or for a single cluster. */
    double[] withoutPositions(Settings settings, int threads) {
        if (settings.draws() == 0 || filled.isEmpty() || clusters.count() < 2) {
            return new double[0];
        }
        int[][] places = filled.stream()
                .map(group -> Arrays.stream(group)
                        .map(query -> Arrays.binarySearch(queries, query))
                        .toArray())
                .toArray(int[][]::new);
        return Psi.withoutPositions(scores, clusters, places, settings.draws(), settings.seed(), threads);
    }
}
