package io.posbias.base.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * Summary of whole numbers. Quartiles are interpolated linearly, like numpy's {@code quantile} (type 7 of Hyndman and Fan
 * 1996). An empty sample has zeros only.
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

    /** Summarises values in any order. */
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

    /** The three quartiles of at least one number. */
    public static double[] edges(double[] values) {
        Percentile type7 = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
        type7.setData(values);
        return new double[] {type7.evaluate(25), type7.evaluate(50), type7.evaluate(75)};
    }
}
