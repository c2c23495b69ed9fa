package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.ClusterRobustEstimates;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Permutation;
import io.posbias.base.stats.WildBootstrap;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Position Sensitivity Index, 1 - min / max over the means of all non-empty buckets (Zeng et al. 2025, equation 1): 0 if all
 * buckets have equal means, near 1 if one is near 0.
 *
 * <p>A maximum over noisy means is above 0 even if position has no effect. The noise floor is the 95th percentile of PSI under
 * random permutations of the scores over positions, and the p-value is the share of permutations that reach the observed PSI.
 * If queries share a passage, their scores depend on each other by the distance of their evidence, which permutations would
 * destroy: the null distribution then comes from the restricted {@linkplain WildBootstrap wild cluster bootstrap}.
 *
 * @param value between 0 and 1; null if undefined
 * @param undefined reason; null if there is a value
 * @param interval see {@link #interval}; null if undefined or without draws
 * @param corrected PSI minus its estimated bias, between 0 and {@code value}; null without draws
 * @param pValue null without draws
 * @param noiseFloor null without draws
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Psi(
        @JsonInclude @Nullable Double value,
        @Nullable String undefined,
        @Nullable Interval interval,
        @Nullable Double corrected,
        @Nullable Double pValue,
        @Nullable Noise noiseFloor) {

    private static final double PERCENTILE = 0.95;
    private static final double LARGEST = 1;

    private static final double ROUNDING = 1e-9;

    /** Checks the ranges, because results are read from files. */
    public Psi {
        BucketMean.refuseOutside(value);
        BucketMean.refuseOutside(corrected);
        BucketMean.refuseOutside(pValue);
        BucketMean.refuseOutside(interval);
        if (value == null && undefined == null) {
            throw new IllegalArgumentException("PSI has a value, or a reason to be undefined");
        }
    }

    /** PSI under the null hypothesis: mean and 95th percentile over draws. */
    public record Noise(double mean, double p95) {
        public Noise {
            BucketMean.refuseOutside(mean);
            BucketMean.refuseOutside(p95);
        }

        /**
         * The observed PSI counts as one of draws + 1, as in the p-value, so that it is above p95 exactly if p is below 0.05.
         */
        static Noise of(double[] drawn) {
            double[] sorted = Arrays.stream(drawn).sorted().toArray();
            int rank = (int) Math.ceil(PERCENTILE * (drawn.length + 1) - ROUNDING);
            return new Noise(
                    Arrays.stream(drawn).average().orElseThrow(), rank > drawn.length ? LARGEST : sorted[rank - 1]);
        }
    }

    /** 95th percentile of PSI under the null hypothesis; null without draws. */
    public @Nullable Double noise95() {
        return noiseFloor == null ? null : (Double) noiseFloor.p95();
    }

    public static Psi of(double value) {
        return new Psi(value, null, null, null, null, null);
    }

    /** PSI of bucket means, without its noise. */
    public static Psi of(List<BucketMean> buckets) {
        if (buckets.isEmpty()) {
            return undefined("no query says where its evidence is");
        }
        double[] means = buckets.stream()
                .map(BucketMean::mean)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .toArray();
        if (means.length < 2) {
            return undefined("fewer than two buckets hold queries");
        }
        double psi = of(means);
        return Double.isNaN(psi) ? undefined("all buckets score 0") : of(psi);
    }

    public static Psi undefined(String reason) {
        return new Psi(null, reason, null, null, null, null);
    }

    /** Leaves out the value and its interval, not the test of equal means. */
    Psi withoutValue(String reason) {
        return new Psi(null, reason, null, null, pValue, noiseFloor);
    }

    /** 1 - min / max, ignoring NaN; NaN if no mean is above 0. An adjusted mean below 0 counts as 0. */
    static double of(double[] means) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (double mean : means) {
            // Comparisons with NaN are false.
            least = mean < least ? mean : least;
            most = mean > most ? mean : most;
        }
        return most > 0 ? 1 - Math.max(0, least) / most : Double.NaN;
    }

    /** PSI of drawn means; 0 if all of them are 0. */
    static double ofDraw(double[] means) {
        double psi = of(means);
        return Double.isNaN(psi) ? 0 : psi;
    }

    /** Adds the noise from draws under the null hypothesis; unchanged if there are none. */
    Psi withNoise(double[] drawn) {
        return value == null || drawn.length == 0
                ? this
                : new Psi(value, null, interval, corrected, Permutation.pValue(value, drawn), Noise.of(drawn));
    }

    /**
     * PSI in draws under the null hypothesis: random permutations of the scores or, if queries share a cluster, equal means
     * with the errors of the wild cluster bootstrap.
     *
     * @param scores of the queries in a bucket
     * @param members indices of each non-empty bucket's queries in {@code scores}
     */
    static double[] withoutPositions(
            double[] scores, Clusters clusters, int[][] members, int draws, long seed, int threads) {
        if (clusters.areSingle()) {
            return Permutation.draw(scores, draws, seed, threads, () -> statistic(members));
        }
        double mean = Moments.of(scores).mean();
        double[][] parts = new double[clusters.count()][members.length];
        for (int bucket = 0; bucket < members.length; bucket++) {
            for (int query : members[bucket]) {
                parts[clusters.of()[query]][bucket] += (scores[query] - mean) / members[bucket].length;
            }
        }
        return around(mean, WildBootstrap.errors(parts, draws, seed, threads));
    }

    /**
     * Names the draws under the null hypothesis.
     *
     * @param isSingle true if each query is a cluster by itself
     */
    public static String draws(boolean isSingle) {
        return isSingle
                ? "random permutations of the scores over the positions"
                : "a wild cluster bootstrap around equal means";
    }

    static double[] around(double mean, double[][] errors) {
        double[] means = new double[errors.length];
        Arrays.fill(means, mean);
        return overDraws(errors, means);
    }

    static double[] drawn(double[][] drawn) {
        return overDraws(drawn, new double[drawn.length]);
    }

    Psi with(Interval other) {
        return new Psi(value, undefined, other, corrected, pValue, noiseFloor);
    }

    private static ToDoubleFunction<double[]> statistic(int[][] members) {
        double[] means = new double[members.length];
        return scores -> {
            for (int bucket = 0; bucket < members.length; bucket++) {
                double sum = 0;
                for (int query : members[bucket]) {
                    sum += scores[query];
                }
                means[bucket] = sum / members[bucket].length;
            }
            return ofDraw(means);
        };
    }

    /**
     * Adds interval and bias correction from bootstrap draws of the bucket means.
     *
     * @param samples one per non-empty bucket
     * @param drawn {@code [bucket][draw]}
     * @param clusters of the queries in a bucket
     */
    Psi withInterval(Moments[] samples, double[][] drawn, Clusters clusters, double confidence) {
        if (value == null) {
            return this;
        }
        double excess = excess(samples, drawn);
        double less = Math.clamp(value - excess, 0, value);
        double effective = clusters.areSingle() || clusters.effective() >= Clusters.MANY_EFFECTIVE
                ? Double.POSITIVE_INFINITY
                : Arrays.stream(samples).mapToDouble(Moments::effective).min().orElseThrow();
        Interval percentile = interval(value, pValue, drawn(drawn), effective, confidence);
        return new Psi(value, null, percentile, less, pValue, noiseFloor);
    }

    /**
     * Interval of a PSI. The upper end is the percentile interval's. Resampling inflates PSI by about as much as PSI exceeds
     * the truth, so the lower end is the smaller of the percentile interval's and its reflection about PSI. It is above 0
     * exactly if the test rejects at the interval's level: otherwise it is 0, and if the test rejects but the reflection is
     * below 0, it is the smallest positive draw. PSI itself is always inside. With few effective clusters the percentiles are
     * expanded (docs/statistics.md).
     *
     * @param effective G* for expanded percentiles, the least of a mean; infinite without few clusters
     */
    static Interval interval(
            double value, @Nullable Double pValue, double[] drawn, double effective, double confidence) {
        Interval percentile = effective >= Clusters.MANY_EFFECTIVE
                ? Bootstrap.percentile(drawn, confidence)
                : Bootstrap.expanded(drawn, confidence, effective);
        double high = Math.max(percentile.high(), value);
        if (pValue != null && pValue >= 1 - confidence) {
            return new Interval(0, high).within(0, 1);
        }
        double low = Math.min(percentile.low(), 2 * value - high);
        double least = Arrays.stream(drawn).filter(psi -> psi > 0).min().orElse(value);
        return new Interval(Math.min(value, Math.max(low, least)), high).within(0, 1);
    }

    /** PSI of each draw after adding a shift to each bucket's means. */
    private static double[] overDraws(double[][] drawn, double[] shifts) {
        double[] psi = new double[drawn[0].length];
        double[] means = new double[drawn.length];
        for (int draw = 0; draw < psi.length; draw++) {
            for (int bucket = 0; bucket < means.length; bucket++) {
                // NaN stays: a draw may hold no query of a bucket.
                means[bucket] = Math.max(0, drawn[bucket][draw] + shifts[bucket]);
            }
            psi[draw] = ofDraw(means);
        }
        return psi;
    }

    /**
     * Mean excess of PSI over the truth. Bucket means vary more than the true means, by their noise. They are shrunk together
     * until their variance is that estimated for the true means (variance between buckets minus the mean squared standard
     * error, as in empirical Bayes), and PSI of draws around these is compared with their PSI.
     */
    private static double excess(Moments[] samples, double[][] drawn) {
        double[] means = Arrays.stream(samples).mapToDouble(Moments::mean).toArray();
        // A bucket of one cluster has no standard error; it adds none.
        double[] noise = Arrays.stream(samples)
                .mapToDouble(sample -> sample.isEstimable() ? sample.standardError() * sample.standardError() : 0)
                .toArray();
        Moments between = Moments.of(means);
        double truth = Math.max(0, between.variance() - Moments.of(noise).mean());
        double[] shifts = new double[means.length];
        double[] centres = new double[means.length];
        for (int bucket = 0; bucket < means.length; bucket++) {
            double kept = truth == 0 ? 0 : Math.sqrt(truth / (truth + noise[bucket]));
            centres[bucket] = between.mean() + kept * (means[bucket] - between.mean());
            shifts[bucket] = centres[bucket] - means[bucket];
        }
        return Moments.of(overDraws(drawn, shifts)).mean() - of(centres);
    }

    /**
     * Test of a difference in PSI between two systems on the same queries. PSI is biased upwards by noise, more so for systems with
     * lower means: intervals of the difference alone call two flat systems different. A difference counts if two conditions hold:
     *
     * <ul>
     *   <li>Wald's test over d_b = log m_b(second) - log m_b(first), paired and clustered, rejects that all d_b are equal: equal
     *       d_b mean profiles that differ in level only, and so equal PSI. If a mean is 0, d_b is the difference of means relative
     *       to the average of their system.
     *   <li>The percentile interval of the paired bootstrap excludes 0: different profiles may have equal PSI.
     * </ul>
     *
     * The p-value is the larger of both; the interval is the bootstrap's, extended to 0 if the test does not reject.
     */
    static final class PsiTest {
        private PsiTest() {}

        /** The difference of PSI in each draw, from means {@code [bucket][draw]}. */
        static double[] differences(double[][] first, double[][] second) {
            return IntStream.range(0, first[0].length)
                    .mapToDouble(draw -> psi(second, draw) - psi(first, draw))
                    .toArray();
        }

        private static double psi(double[][] means, int draw) {
            return Psi.ofDraw(
                    Arrays.stream(means).mapToDouble(bucket -> bucket[draw]).toArray());
        }

        /**
         * Tests the difference.
         *
         * @param drawn the difference in each draw
         * @return null if a bucket has one cluster or no variance in either system
         */
        static @Nullable Estimate of(
                ClusterRobustEstimates first, ClusterRobustEstimates second, double[] drawn, double confidence) {
            if (!IntStream.range(0, first.values().length).allMatch(bucket -> isTestable(first, second, bucket))) {
                return null;
            }
            double difference = Psi.of(second.values()) - Psi.of(first.values());
            double pValue = Math.max(shapes(first, second).equal(), Bootstrap.excludingZero(drawn, difference));
            Interval interval = Bootstrap.percentile(drawn, confidence).holding(difference);
            return new Estimate(difference, pValue < 1 - confidence ? interval : interval.holding(0), pValue);
        }

        /**
         * Tests that both profiles differ in level only, by Wald's test and by a t test of the slope over buckets, adjusted for both
         * (Bonferroni).
         *
         * @return null if a bucket has one cluster or no variance in either system
         */
        static @Nullable Double shape(ClusterRobustEstimates first, ClusterRobustEstimates second, double confidence) {
            int buckets = first.values().length;
            if (!IntStream.range(0, buckets).allMatch(bucket -> isTestable(first, second, bucket))) {
                return null;
            }
            ClusterRobustEstimates shapes = shapes(first, second);
            double[] slope = IntStream.range(0, buckets)
                    .mapToDouble(bucket -> bucket - (buckets - 1) / 2.0)
                    .toArray();
            double least =
                    Math.min(shapes.equal(), shapes.contrast(slope, confidence).pValue());
            return Math.min(1, 2 * least);
        }

        private static boolean isTestable(ClusterRobustEstimates first, ClusterRobustEstimates second, int bucket) {
            long clusters =
                    Arrays.stream(first.rows()).filter(rows -> rows[bucket] > 0).count();
            return clusters > 1
                    && Stream.of(first, second)
                            .flatMap(means -> Arrays.stream(means.parts()))
                            .anyMatch(part -> part[bucket] != 0);
        }

        /** Differences of the buckets, all equal if the profiles differ in level only. */
        private static ClusterRobustEstimates shapes(ClusterRobustEstimates first, ClusterRobustEstimates second) {
            return isPositive(first) && isPositive(second)
                    ? second.log().minus(first.log())
                    : second.relative().minus(first.relative());
        }

        private static boolean isPositive(ClusterRobustEstimates means) {
            return Arrays.stream(means.values()).allMatch(mean -> mean > 0);
        }
    }
}
