package io.posbias.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.UniformRealDistribution;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/**
 * Two tests of the null hypothesis that values are drawn evenly from 0 to 1.
 *
 * @param chiSquare Pearson's, over equal bins; its p-value by the chi-square distribution
 * @param kolmogorovSmirnov of Kolmogorov and Smirnov's D: how far the empirical distribution departs from the even one at
 *     most, from 0 to 1; needs no bins. Its p-value is exact up to 140 values, by Pelz and Good's series beyond
 */
public record Uniformity(ChiSquare chiSquare, KolmogorovSmirnov kolmogorovSmirnov) {
    /** A test. */
    public sealed interface Test {
        double statistic();

        double pValue();
    }

    /**
     * Over bins.
     *
     * @param degreesOfFreedom bins minus 1
     */
    public record ChiSquare(double statistic, int degreesOfFreedom, double pValue) implements Test {}

    /** Without bins. */
    public record KolmogorovSmirnov(double statistic, double pValue) implements Test {}

    /**
     * Both tests.
     *
     * @param counts of the values in equal bins of 0 to 1, at least two bins
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
