package io.posbias.study.probe;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.plot.Effects;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Tested;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Paired t test of two scores over queries. Null hypothesis: the mean difference is 0.
 *
 * <p>Models compute in 32-bit floats: equal words in another order may score differently in the seventh digit, and a
 * thousand of these differences can have a t of 3. Scores within a millionth of the comparison's largest score count as
 * equal.
 *
 * @param comparison first minus second
 * @param clusters number of clusters
 * @param difference of the means; null for fewer than two pairs
 * @param t null for fewer than two pairs, and if all differences are equal
 * @param effect Cohen's d of paired samples: mean difference in standard deviations of the differences; null like
 *     {@code t}
 * @param higher pairs whose first score is higher
 * @param ties pairs of scores that are equal up to rounding
 */
public record PairTest(
        ProbeType probe,
        String comparison,
        int n,
        @JsonProperty("units") int clusters,
        double firstMean,
        double secondMean,
        @Nullable Estimate difference,
        @Nullable Double t,
        @JsonProperty("effect_size") @Nullable Double effect,
        int higher,
        int ties) {
    /** The only comparison of most probes. */
    public static final String PAIRS = "text1 - text2";

    /** Largest relative difference of equal scores: eight steps of a 32-bit float. */
    public static final double ROUNDING = 1e-6;

    public static PairTest of(ProbeType probe, String comparison, double[] first, double[] second, double confidence) {
        return of(probe, comparison, first, second, Clusters.single(first.length), confidence);
    }

    public static PairTest of(
            ProbeType probe, String comparison, double[] first, double[] second, Clusters clusters, double confidence) {
        double rounding = ROUNDING * Math.max(largest(first), largest(second));
        double[] differences = new double[first.length];
        int higher = 0;
        int ties = 0;
        for (int i = 0; i < differences.length; i++) {
            double difference = first[i] - second[i];
            differences[i] = Math.abs(difference) <= rounding ? 0 : difference;
            higher += differences[i] > 0 ? 1 : 0;
            ties += differences[i] == 0 ? 1 : 0;
        }
        Moments moments = Moments.of(differences, clusters);
        boolean spread = moments.isEstimable() && moments.standardError() > 0;
        return new PairTest(
                probe,
                comparison,
                moments.n(),
                moments.clusters(),
                Moments.of(first).mean(),
                Moments.of(second).mean(),
                moments.isEstimable() ? moments.estimate(confidence) : null,
                spread ? (Double) (moments.mean() / moments.standardError()) : null,
                spread
                        ? (Double) (moments.mean()
                                / Math.sqrt(Moments.of(differences).variance()))
                        : null,
                higher,
                ties);
    }

    public static double largest(double[] scores) {
        return Arrays.stream(scores).map(Math::abs).max().orElse(0);
    }

    /** The difference of the means, defined for a single pair. */
    public double meanDifference() {
        return difference == null ? firstMean - secondMean : difference.value();
    }

    /** The difference of the means with what is known of it. */
    public Tested tested() {
        return new Tested(meanDifference(), interval(), pValue());
    }

    /** Null for fewer than two pairs. */
    public @Nullable Interval interval() {
        return difference == null ? null : difference.interval();
    }

    /** Null for fewer than two pairs. */
    public @Nullable Double pValue() {
        return difference == null ? null : (Double) difference.pValue();
    }

    /** Share of pairs whose first score is higher: accuracy if the first text is right, otherwise a bias rate. */
    public double share() {
        return (double) higher / n;
    }

    /** The effect size with its interval; empty for fewer than two pairs, and if all differences are equal but not 0. */
    public Optional<Effects.Effect> inDeviations() {
        if (difference == null || (effect == null && difference.value() != 0)) {
            return Optional.empty();
        }
        if (effect == null || difference.value() == 0) {
            return Optional.of(new Effects.Effect(0, null));
        }
        double deviation = difference.value() / effect;
        Interval interval = difference.interval();
        return Optional.of(
                new Effects.Effect(effect, new Interval(interval.low() / deviation, interval.high() / deviation)));
    }

    /** Adds the {@linkplain #inDeviations effect size} to a figure under the probe's name. */
    public void addTo(Effects effects, String model) {
        String row = comparison.equals(PAIRS) ? probe.name() : probe + " " + comparison;
        inDeviations().ifPresent(effect -> effects.add(model, row, effect.value(), effect.interval()));
    }
}
