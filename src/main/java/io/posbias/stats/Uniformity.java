package io.posbias.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.UniformRealDistribution;
import org.apache.commons.math3.stat.inference.ChiSquareTest;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/**
 * Two tests of the null hypothesis that values are drawn evenly from 0 to 1.
 *
 * @param chiSquare Pearson's statistic over equal bins
 * @param freedom its degrees of freedom: bins less 1
 * @param chiSquarePValue its p-value by the chi-square distribution
 * @param distance Kolmogorov and Smirnov's D: how far the empirical distribution departs from the even one at most, from
 *     0 to 1; needs no bins
 * @param distancePValue its p-value: exact up to 140 values, by Pelz and Good's series beyond
 */
public record Uniformity(
        double chiSquare, int freedom, double chiSquarePValue, double distance, double distancePValue) {
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
                binned.chiSquare(expected, observed),
                counts.length - 1,
                binned.chiSquareTest(expected, observed),
                free.kolmogorovSmirnovStatistic(even, values),
                free.kolmogorovSmirnovTest(even, values));
    }
}
