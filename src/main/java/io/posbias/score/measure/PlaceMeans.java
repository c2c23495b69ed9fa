package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Means of scores from 0 to 1 by place, with the loss at the back. A question may lack places, as in shares of some of its rows; with
 * all places the loss, its interval and its outcome are those of {@link ContentFixedFit} without controls.
 *
 * @param effectiveClusters G* of all rows
 * @param loss null if a mean is 0, a place has no rows, there is one cluster, or fewer than three places
 * @param middleMinusEnds mean of the places between the ends minus the mean of both ends; null as for the loss, but for a mean of 0
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlaceMeans(
        List<PlaceMean> places,
        int clusters,
        double effectiveClusters,
        PositionLoss.@Nullable EndLoss loss,
        @Nullable Estimate middleMinusEnds,
        TestOutcome outcome) {
    private static final int LEAST_PLACES = 3;

    /**
     * Mean at one place.
     *
     * @param place from 1
     * @param n rows
     * @param mean null without rows
     * @param interval null for fewer than two clusters
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PlaceMean(
            int place,
            int n,
            @Nullable Double mean,
            @Nullable Interval interval) {}

    /**
     * Estimates the means.
     *
     * @param scores from 0 to 1, of at least one row
     * @param places of the rows, from 1
     * @param clusters of the rows
     * @param settings confidence and equivalence
     */
    public static PlaceMeans of(double[] scores, int[] places, int count, Clusters clusters, Settings settings) {
        int[][] rows = IntStream.rangeClosed(1, count)
                .mapToObj(place -> IntStream.range(0, places.length)
                        .filter(row -> places[row] == place)
                        .toArray())
                .toArray(int[][]::new);
        List<PlaceMean> means = IntStream.range(0, count)
                .mapToObj(place -> mean(place + 1, scores, rows[place], clusters, settings.confidence()))
                .toList();
        boolean isWhole =
                count >= LEAST_PLACES && clusters.count() > 1 && means.stream().allMatch(mean -> mean.n() > 0);
        if (!isWhole) {
            return new PlaceMeans(means, clusters.count(), clusters.effective(), null, null, TestOutcome.TOO_FEW);
        }
        ClusterRobustEstimates estimates = ClusterRobustEstimates.ofMeans(scores, rows, clusters);
        PositionLoss.EndLoss loss = PositionLoss.EndLoss.of(estimates, settings.confidence());
        Estimate front = contrast(estimates, ContentFixedFit.ends(count), settings.confidence());
        return new PlaceMeans(
                means,
                clusters.count(),
                clusters.effective(),
                loss,
                contrast(estimates, ContentFixedFit.middle(count), settings.confidence()),
                clusters.areFew()
                        ? TestOutcome.TOO_FEW
                        : TestOutcome.ofLoss(loss.loss(), front, settings.equivalence(), settings.confidence()));
    }

    private static Estimate contrast(ClusterRobustEstimates means, double[] weights, double confidence) {
        return means.contrast(weights, confidence).ofScores();
    }

    private static PlaceMean mean(int place, double[] scores, int[] rows, Clusters clusters, double confidence) {
        if (rows.length == 0) {
            return new PlaceMean(place, 0, null, null);
        }
        Moments moments = Moments.of(scores, rows, clusters);
        return new PlaceMean(
                place, rows.length, moments.mean(), moments.isEstimable() ? moments.ofScores(confidence) : null);
    }
}
