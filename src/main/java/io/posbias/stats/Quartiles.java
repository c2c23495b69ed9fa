package io.posbias.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * What tables of lengths say of a sample of whole numbers. Quartiles are interpolated linearly between the two values around
 * {@code (n - 1) * p}, as numpy's {@code quantile} does by default (type 7 of Hyndman and Fan 1996).
 *
 * @param count how many values; with 0 of them all others are 0
 * @param total their sum
 * @param least the smallest
 * @param q1 a quarter of the values is not above it
 * @param median half of them
 * @param q3 three quarters of them
 * @param most the largest
 * @param mean total over count
 */
public record Quartiles(
        int count,
        long total,
        @JsonProperty("min") int least,
        double q1,
        double median,
        double q3,
        @JsonProperty("max") int most,
        double mean) {
    private static final Quartiles NONE = new Quartiles(0, 0, 0, 0, 0, 0, 0, 0);

    /** Of some values, in any order. */
    public static Quartiles of(IntStream values) {
        int[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return NONE;
        }
        long total = Arrays.stream(sorted).asLongStream().sum();
        double[] edges = edges(Arrays.stream(sorted).asDoubleStream().toArray());
        return new Quartiles(
                sorted.length,
                total,
                sorted[0],
                edges[0],
                edges[1],
                edges[2],
                sorted[sorted.length - 1],
                (double) total / sorted.length);
    }

    /** The three quartiles of at least one number, in any order. */
    public static double[] edges(double[] values) {
        Percentile type7 = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
        type7.setData(values);
        return new double[] {type7.evaluate(25), type7.evaluate(50), type7.evaluate(75)};
    }
}
