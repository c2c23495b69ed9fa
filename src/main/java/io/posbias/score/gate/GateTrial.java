package io.posbias.score.gate;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Resample;
import io.posbias.score.measure.DifferenceTrial;
import io.posbias.score.measure.LossTrial;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Trial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A change between two versions, and the gate that should fail. All conditions count for the confidence of an interval, as in
 * {@link PairedGate}; those on the planted number alone are tested, so that the power is at most too low by the others' part.
 */
public final class GateTrial implements Trial {
    private final Clusters clusters;
    private final Rule rule;

    private GateTrial(Clusters clusters, Rule rule) {
        this.clusters = clusters;
        this.rule = rule;
    }

    @FunctionalInterface
    private interface Rule {
        boolean fails(int[] drawn);
    }

    /**
     * A change of the mean, equal in all buckets.
     *
     * @param effect after minus before, as a fraction
     * @throws UsageException if no condition can find it
     */
    public static GateTrial ofMeans(
            PairedGate.Versions versions,
            String measure,
            List<Condition> conditions,
            Settings settings,
            double effect) {
        QueryBuckets placement = versions.before().placement();
        List<Condition> own = finding(conditions, Condition.Quantity.MEANS, effect).stream()
                .filter(condition -> isOf(condition, measure, settings))
                .toList();
        if (own.isEmpty()) {
            throw new UsageException("--fail-on has no condition on " + measure + ": add " + measure
                    + (effect < 0 ? "<-0.005" : ">+0.005"));
        }
        double[] before = versions.before().of(measure);
        double[] after = versions.after().of(measure);
        if (before == null || after == null) {
            throw new UsageException("--measure " + measure + " was not measured in both pilots");
        }
        double each = each(conditions, placement, settings.confidence());
        double[] differences = DifferenceTrial.planted(before, after, placement, effect);
        Clusters clusters = placement.clustering().clusters();
        int[][] members = Resample.members(clusters);
        return new GateTrial(clusters, drawn -> {
            Resample sample = Resample.of(members, drawn);
            double[] values = Moments.at(differences, sample.rows());
            return groups(placement, sample.rows()).stream().anyMatch(group -> {
                Moments moments = Moments.of(values, group, sample.clusters());
                return moments.isEstimable()
                        && own.stream()
                                .anyMatch(condition ->
                                        condition.holds(moments.estimate(each).interval()));
            });
        });
    }

    private static boolean isOf(Condition condition, String measure, Settings settings) {
        return condition.measure().isEmpty()
                ? settings.measure().toString().equals(measure)
                : condition.measure().equals(measure);
    }

    /**
     * A change of the loss at the back.
     *
     * @param settings of the versions
     * @param loss after minus before, as a fraction
     * @throws UsageException if no condition can find it
     */
    public static GateTrial ofLoss(
            PairedGate.Versions versions, List<Condition> conditions, Settings settings, double loss) {
        List<Condition> own = finding(conditions, Condition.Quantity.LOSS, loss);
        if (own.isEmpty()) {
            throw new UsageException("--fail-on has no condition on the loss: add loss>+2%");
        }
        double each = each(conditions, versions.before().placement(), settings.confidence());
        LossTrial trial = new LossTrial(
                versions.before().places(), versions.after().places(), settings.withConfidence(each), loss);
        return new GateTrial(trial.clusters(), drawn -> {
            Estimate found = trial.found(drawn);
            return found != null && own.stream().anyMatch(condition -> condition.holds(found.interval()));
        });
    }

    /** Conditions on a quantity in the direction of the effect. */
    private static List<Condition> finding(List<Condition> conditions, Condition.Quantity quantity, double effect) {
        List<Condition> own = conditions.stream()
                .filter(condition -> condition.quantity() == quantity && condition.rise() == effect > 0)
                .toList();
        for (Condition condition : own) {
            double limit = condition.threshold().doubleValue();
            if (condition.rise() ? effect <= limit : effect >= limit) {
                throw new UsageException("--fail-on: the planted change is not " + condition.limit()
                        + ", so that no number of queries fails the gate: plan for a larger one");
            }
        }
        return own;
    }

    /** Confidence of each of the gate's intervals. */
    private static double each(List<Condition> conditions, QueryBuckets placement, double confidence) {
        long buckets = Arrays.stream(placement.clusters())
                .filter(clusters -> clusters > 1)
                .count();
        long tests = conditions.stream()
                .mapToLong(condition -> condition.quantity() == Condition.Quantity.MEANS ? 1 + buckets : 1)
                .sum();
        return PairedGate.each(confidence, tests);
    }

    /** All rows of a sample, then those of each bucket. */
    private static List<int[]> groups(QueryBuckets placement, int[] rows) {
        List<int[]> groups = new ArrayList<>();
        groups.add(IntStream.range(0, rows.length).toArray());
        for (int bucket = 0; bucket < placement.bucketNames().size(); bucket++) {
            int number = bucket;
            groups.add(IntStream.range(0, rows.length)
                    .filter(row -> placement.isIn(rows[row], number))
                    .toArray());
        }
        return groups;
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
        return "gate fails";
    }

    @Override
    public boolean finds(int[] drawn, SplittableRandom random) {
        return rule.fails(drawn);
    }
}
