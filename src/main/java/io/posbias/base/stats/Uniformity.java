package io.posbias.base.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.UniformRealDistribution;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/**
 * Tests of uniform values on [0, 1]: Pearson's chi-square over equal bins, and Kolmogorov-Smirnov, whose p-value is exact up to
 * 140 values and by Pelz and Good's series beyond.
 */
public record Uniformity(ChiSquare chiSquare, KolmogorovSmirnov kolmogorovSmirnov) {
    public sealed interface Test {
        double statistic();

        double pValue();
    }

    public record ChiSquare(double statistic, int degreesOfFreedom, double pValue) implements Test {}

    public record KolmogorovSmirnov(double statistic, double pValue) implements Test {}

    /**
     * Runs both tests.
     *
     * @param counts in at least two equal bins
     * @param values from 0 to 1, at least two
     */
    public static Uniformity of(int[] counts, double[] values) {
        double[] expected = new double[counts.length];
        Arrays.fill(expected, (double) values.length / counts.length);
        long[] observed = Arrays.stream(counts).asLongStream().toArray();
        ChiSquareTest binned = new ChiSquareTest();
        KolmogorovSmirnovTest free = new KolmogorovSmirnovTest();
        UniformRealDistribution even = new UniformRealDistribution(null, 0, 1);
        return new Uniformity(
                new ChiSquare(
                        binned.chiSquare(expected, observed),
                        counts.length - 1,
                        binned.chiSquareTest(expected, observed)),
                new KolmogorovSmirnov(
                        free.kolmogorovSmirnovStatistic(even, values), free.kolmogorovSmirnovTest(even, values)));
    }
}
