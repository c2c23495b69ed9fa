package io.posbias.report.mitigate;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.data.convert.Sampler;
import io.posbias.score.measure.Comparer;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Effect;
import io.posbias.score.result.CellQueries;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gain of a strategy that is the best of several, without the luck for which it was chosen: the best on one half of the clusters
 * is estimated on the other half, and conversely.
 *
 * @param isLoss true for the decrease of the loss at the back, as a share; false for the gain of the harmonic mean over buckets
 * @param gain mean of both halves, whose errors are independent
 */
record HalvesSelection(boolean isLoss, Estimate gain) {
    /**
     * Selects and estimates.
     *
     * @param others the strategies, on the same queries
     * @return null with one strategy, or if a half has too few queries
     */
    static @Nullable HalvesSelection of(
            CellQueries plain, List<CellQueries> others, String measure, Comparer comparer) {
        if (others.size() < 2) {
            return null;
        }
        boolean isLoss = others.stream().allMatch(other -> plain.isPlacedAs(other, measure));
        Clusters clusters = plain.placement().clustering().clusters();
        Set<Integer> chosen = new HashSet<>(Sampler.draw(
                IntStream.range(0, clusters.count()).boxed().toList(), clusters.count() / 2, Sampler.PAPER_SEED));
        Estimate[][] gains = new Estimate[2][others.size()];
        for (int half = 0; half < gains.length; half++) {
            boolean isFirst = half == 0;
            int[] rows = IntStream.range(0, clusters.of().length)
                    .filter(row -> chosen.contains(clusters.of()[row]) == isFirst)
                    .toArray();
            CellQueries own = plain.at(rows);
            for (int other = 0; other < others.size(); other++) {
                Estimate gain = gain(own, others.get(other).at(rows), measure, comparer, isLoss);
                if (gain == null) {
                    return null;
                }
                gains[half][other] = gain;
            }
        }
        return new HalvesSelection(isLoss, mean(gains[1][best(gains[0])], gains[0][best(gains[1])]));
    }

    private static @Nullable Estimate gain(
            CellQueries plain, CellQueries other, String measure, Comparer comparer, boolean isLoss) {
        if (isLoss) {
            ContentFixedFit.Difference moved = plain.places().isEmpty()
                    ? null
                    : comparer.byPlace(measure, plain.placement(), plain.places(), other.places());
            return moved == null || moved.loss() == null
                    ? null
                    : moved.loss().magnitude().times(-1);
        }
        Effect effect = comparer.effect(
                measure,
                Objects.requireNonNull(plain.of(measure)),
                Objects.requireNonNull(other.of(measure)),
                plain.placement());
        return effect == null ? null : effect.harmonic().difference();
    }

    static int best(Estimate[] gains) {
        return IntStream.range(0, gains.length)
                .reduce(0, (best, other) -> gains[other].value() > gains[best].value() ? other : best);
    }

    /** The mean of two independent estimates; p is not known. */
    static Estimate mean(Estimate one, Estimate other) {
        double value = (one.value() + other.value()) / 2;
        double half = Math.hypot(half(one.interval()), half(other.interval())) / 2;
        return new Estimate(value, new Interval(value - half, value + half), Double.NaN);
    }

    private static double half(Interval interval) {
        return (interval.high() - interval.low()) / 2;
    }
}
