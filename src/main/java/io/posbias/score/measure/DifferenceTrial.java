package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Resample;
import io.posbias.data.position.Strata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A difference of two systems' query means: the pilot's difference of each query, less the mean of its bucket, plus the planted one. The
 * test is the paired t interval of {@link Comparer}.
 */
public final class DifferenceTrial implements Trial {
    private final double[] differences;
    private final Clusters clusters;
    private final int[][] members;
    private final double effect;
    private final double confidence;

    /**
     * @param first one score per query of the placement
     * @param second one score per query of the placement
     * @param effect second minus first, as a fraction
     */
    public DifferenceTrial(double[] first, double[] second, QueryBuckets placement, double effect, double confidence) {
        int[] all = placement.members(Strata.ALL);
        this.differences = planted(first, second, placement, effect);
        this.clusters = placement.clustering().clusters().at(all);
        this.members = Resample.members(clusters);
        this.effect = effect;
        this.confidence = confidence;
    }

    /**
     * Differences of queries with the planted mean, overall and in each bucket.
     *
     * @param first one score per query of the placement
     * @param second one score per query of the placement
     */
    public static double[] planted(double[] first, double[] second, QueryBuckets placement, double effect) {
        double[] differences = new double[first.length];
        Map<List<Integer>, List<Integer>> groups = new HashMap<>();
        for (int query = 0; query < first.length; query++) {
            differences[query] = second[query] - first[query];
            groups.computeIfAbsent(
                            Arrays.stream(placement.bucketsOf(query)).boxed().toList(), own -> new ArrayList<>())
                    .add(query);
        }
        for (List<Integer> group : groups.values()) {
            int[] own = group.stream().mapToInt(Integer::intValue).toArray();
            double mean = Moments.of(differences, own).mean();
            for (int query : own) {
                differences[query] += effect - mean;
            }
        }
        return differences;
    }

    @Override
    public Clusters clusters() {
        return clusters;
    }

    @Override
    public int least() {
        return 2;
    }

    @Override
    public String test() {
        return "paired t test of compare";
    }

    @Override
    public boolean finds(int[] drawn, SplittableRandom random) {
        Resample sample = Resample.of(members, drawn);
        Estimate found = Moments.of(Moments.at(differences, sample.rows()), sample.clusters())
                .estimate(confidence);
        return found.pValue() < 1 - confidence && found.value() * effect > 0;
    }
}
