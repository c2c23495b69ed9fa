package io.posbias.probe;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.plot.Effects;
import io.posbias.stats.Clusters;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import io.posbias.stats.Moments;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The paired t test of two scores over many queries: what the paper prints. Null hypothesis: the mean difference is 0.
 *
 * <p>Models compute in 32-bit floats: the same words in another order may score differently in the seventh digit, and a
 * thousand such differences can have a t of 3. Scores that are closer than a millionth of the largest one of the comparison
 * count as equal, and their difference as 0.
 *
 * @param probe what the pairs belong to
 * @param comparison what is compared, first minus second
 * @param n pairs
 * @param units how many units they are of that do not depend on each other
 * @param firstMean mean of the first scores
 * @param secondMean mean of the second
 * @param difference of the means, with its interval and p-value; null for fewer than two pairs
 * @param t the statistic, the standard error allowing for pairs of one unit; null likewise, and when all differences are equal
 * @param effect Cohen's d of paired samples: the mean difference in standard deviations of the differences; null likewise
 * @param higher pairs whose first score is higher; ties count against it
 * @param ties pairs of scores that are equal up to rounding
 */
public record PairTest(
        ProbeType probe,
        String comparison,
        int n,
        int units,
        double firstMean,
        double secondMean,
        @Nullable Estimate difference,
        @Nullable Double t,
        @JsonProperty("effect_size") @Nullable Double effect,
        int higher,
        int ties) {
    /** The comparison of probes that have but one. */
    public static final String PAIRS = "text1 - text2";

    /** Closer scores are equal, as a share of the largest score; eight steps of a 32-bit float. */
    public static final double ROUNDING = 1e-6;

    /** The test of pairs that do not depend on each other. */
    public static PairTest of(ProbeType probe, String comparison, double[] first, double[] second, double confidence) {
        return of(probe, comparison, first, second, Clusters.single(first.length), confidence);
    }

    /** The test of pairs in clusters. */
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

    /** The largest absolute score. */
    public static double largest(double[] scores) {
        return Arrays.stream(scores).map(Math::abs).max().orElse(0);
    }

    /** The difference of the means, also of a single pair. */
    public double meanDifference() {
        return difference == null ? firstMean - secondMean : difference.value();
    }

    /** Its interval; null for fewer than two pairs. */
    public @Nullable Interval interval() {
        return difference == null ? null : difference.interval();
    }

    /** Its p-value; null likewise. */
    public @Nullable Double pValue() {
        return difference == null ? null : (Double) difference.pValue();
    }

    /** The share of pairs whose first score is higher: accuracy where the first text is right, a bias rate elsewhere. */
    public double share() {
        return (double) higher / n;
    }

    /**
     * The mean difference in standard deviations of the differences, with its interval in the same unit; empty for fewer than
     * two pairs, and where all differences are equal but not 0.
     */
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

    /** Adds the {@linkplain #inDeviations effect}, if there is one, under the probe's name. */
    public void addTo(Effects effects, String model) {
        String row = comparison.equals(PAIRS) ? probe.name() : probe + " " + comparison;
        inDeviations().ifPresent(effect -> effects.add(model, row, effect.value(), effect.interval()));
    }
}
