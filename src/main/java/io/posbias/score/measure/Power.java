package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import java.util.Arrays;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Power of a benchmark: the smallest effects that a test rejects with a power of {@value #POWER}, and the number of queries
 * that would give this power to the observed effects.
 *
 * @param psi smallest detectable PSI, for means on a straight line; null without draws, or if no PSI is detectable
 * @param frontMinusBack smallest detectable difference of either sign; null without a standard error
 * @param queriesForPsi null if PSI is 0 or unknown, if 1,000 times as many queries would not suffice, or if the present ones
 *     should have sufficed
 * @param queriesForFrontMinusBack null under the same conditions
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Power(
        @Nullable Double psi,
        @Nullable Double frontMinusBack,
        @Nullable Integer queriesForPsi,
        @Nullable Integer queriesForFrontMinusBack) {
    /** Usual power (Cohen 1988). */
    public static final double POWER = 0.8;

    /** The loss that is planned for where none is given. */
    public static final double LOSS = 0.05;

    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

    /** Draws used: the power then has a standard error of 0.009. */
    private static final int DRAWS = 2_000;

    private static final int STEPS = 40;
    private static final double MOST = 1_000;

    /**
     * Computes the power of both tests.
     *
     * @param drawn means in bootstrap draws, {@code [mean][draw]}; empty without draws
     * @param ends front minus back; null if unknown
     */
    static Power of(
            double[] means,
            double[][] drawn,
            Psi psi,
            @Nullable Estimate ends,
            int queries,
            double level,
            double confidence) {
        Psis psis = drawn.length < 2 ? null : new Psis(means, drawn, psi, level);
        Double error = ends == null ? null : (Double) error(ends, confidence);
        Double least = error == null || error == 0 ? null : (Double) (factor(level) * error);
        return new Power(
                psis == null ? null : psis.smallest(),
                least,
                psis == null ? null : psis.queries(queries),
                least == null || ends == null || ends.value() == 0
                        ? null
                        : queries(queries, square(least / ends.value())));
    }

    /**
     * Multiple of the queries with which PSI's test or the slope's, whichever needs fewer, would find a fall of the means on a
     * straight line. What is detectable falls with the root of the number of queries.
     *
     * @param loss of the last mean, as a share of the first's
     * @param slope as it was estimated
     * @param fall of the slope for a fall of 1 from the first mean to the last
     * @param mean of all
     * @return null if unknown
     */
    @Nullable
    Double factor(double loss, Estimate slope, double fall, double mean, double confidence) {
        if (psi == null || mean <= 0) {
            return null;
        }
        double level = (1 - confidence) / TestOutcome.SLOPE_PART;
        double bySlope = factor(level) * error(slope, confidence) / (2 * slope(loss) * mean * fall);
        return square(Math.min(slope(psi) / slope(loss), bySlope));
    }

    /** Half of the fall from the first mean to the last, as a share of their average. */
    private static double slope(double psi) {
        return psi / (2 - psi);
    }

    /**
     * The queries that a test needs, or those that hold enough clusters for a verdict if these are more.
     *
     * @param needed null if unknown
     * @param queries of the benchmark
     * @param effective G*; null if unknown
     * @return null if unknown
     */
    public static @Nullable Integer enough(
            @Nullable Integer needed, int queries, int clusters, @Nullable Double effective) {
        if (needed == null || clusters == 0) {
            return needed;
        }
        double more =
                Math.max((double) Clusters.FEW / clusters, effective == null ? 0 : Clusters.FEW_EFFECTIVE / effective);
        return Math.max(needed, (int) Math.ceil(queries * more));
    }

    /** Standard errors between 0 and an effect that a two-sided test finds. */
    static double errors(double freedom, double confidence) {
        TDistribution t = new TDistribution(null, freedom);
        return t.inverseCumulativeProbability(1 - (1 - confidence) / 2) + t.inverseCumulativeProbability(POWER);
    }

    private static double square(double number) {
        return number * number;
    }

    private static @Nullable Integer queries(int queries, double factor) {
        return factor > MOST ? null : (Integer) (int) Math.ceil(queries * factor);
    }

    /** Standard error from an interval. */
    private static double error(Estimate estimate, double confidence) {
        double half = (estimate.interval().high() - estimate.interval().low()) / 2;
        return half / NORMAL.inverseCumulativeProbability(1 - (1 - confidence) / 2);
    }

    /** Number of standard errors of a detectable effect. */
    private static double factor(double level) {
        return NORMAL.inverseCumulativeProbability(1 - level / 2) + NORMAL.inverseCumulativeProbability(POWER);
    }

    /** PSI with other means and other numbers of queries, with the noise of the draws. */
    private static final class Psis {
        private final double[] means;
        /** Deviation of each draw from the means, {@code [draw][mean]}. */
        private final double[][] noise;

        private final Psi psi;
        private final double average;
        private final double level;
        /** Ratio of the noise floor to the draws' noise, which is small for buckets of few queries. */
        private final double excess;

        Psis(double[] means, double[][] drawn, Psi psi, double level) {
            this.means = means;
            this.psi = psi;
            this.level = level;
            this.average = Arrays.stream(means).average().orElseThrow();
            this.noise = IntStream.range(0, Math.min(DRAWS, drawn[0].length))
                    .mapToObj(draw -> IntStream.range(0, means.length)
                            .mapToDouble(mean -> drawn[mean][draw] - means[mean])
                            .toArray())
                    .toArray(double[][]::new);
            double drawnNoise = Psi.Noise.of(psi(flat(), 1)).p95();
            Double noise = psi.noise95();
            this.excess = noise == null || drawnNoise == 0 ? 1 : Math.max(1, noise / drawnNoise);
        }

        @Nullable
        Double smallest() {
            return average <= 0 ? null : threshold(0, 1, psi -> detects(line(psi), 1));
        }

        @Nullable
        Integer queries(int now) {
            if (!(Psi.of(means) > 0)) {
                return null;
            }
            Double factor = threshold(-1, Math.log10(MOST), power -> detects(means, Math.pow(10, power)));
            boolean enough = factor != null && factor <= 0 && psi.pValue() != null && psi.pValue() >= level;
            return factor == null || enough ? null : Power.queries(now, Math.pow(10, factor));
        }

        /** Means on a straight line with this PSI and an unchanged average. */
        private double[] line(double psi) {
            double slope = slope(psi);
            return IntStream.range(0, means.length)
                    .mapToDouble(i -> average * (1 + slope * (1 - 2.0 * i / (means.length - 1))))
                    .toArray();
        }

        private double[] flat() {
            double[] flat = new double[means.length];
            Arrays.fill(flat, average);
            return flat;
        }

        private boolean detects(double[] truth, double factor) {
            double shrink = 1 / Math.sqrt(factor);
            double critical = excess
                    * Bootstrap.quantile(
                            Arrays.stream(psi(flat(), shrink)).sorted().toArray(), 1 - level);
            return Arrays.stream(psi(truth, shrink))
                            .filter(psi -> psi > critical)
                            .count()
                    >= POWER * noise.length;
        }

        private double[] psi(double[] truth, double shrink) {
            return Arrays.stream(noise)
                    .mapToDouble(draw -> Psi.ofDraw(IntStream.range(0, truth.length)
                            .mapToDouble(i -> Math.max(0, truth[i] + shrink * draw[i]))
                            .toArray()))
                    .toArray();
        }

        /** The smallest number of a range for which a monotone condition holds; null if it fails at the end. */
        private static @Nullable Double threshold(double least, double most, DoublePredicate holds) {
            if (!holds.test(most)) {
                return null;
            }
            double low = least;
            double high = most;
            for (int step = 0; step < STEPS && high - low > 1e-4; step++) {
                double middle = (low + high) / 2;
                if (holds.test(middle)) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return high;
        }
    }
}
