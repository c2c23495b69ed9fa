package io.posbias.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which rows of a sample belong together, such as queries of one passage: rows of a cluster may depend on each other,
 * clusters may not.
 *
 * @param of the cluster of each row, from 0; do not change it
 * @param count how many clusters there are; each holds a row
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Clusters(int[] of, int count) {
    /** Fewer clusters than this are few for an interval: its confidence is nominal only (Cameron and Miller 2015). */
    public static final int FEW = 20;

    /** Fewer {@linkplain #effective effective} clusters than this are few. */
    public static final int FEW_EFFECTIVE = 10;

    /** Each row by itself. */
    public static Clusters single(int rows) {
        return new Clusters(IntStream.range(0, rows).toArray(), rows);
    }

    /** Rows of one name together. */
    public static Clusters named(List<String> names) {
        Map<String, Integer> numbers = HashMap.newHashMap(names.size());
        int[] of = new int[names.size()];
        for (int row = 0; row < of.length; row++) {
            of[row] = numbers.computeIfAbsent(names.get(row), name -> numbers.size());
        }
        return new Clusters(of, numbers.size());
    }

    /** Whether each row is a cluster by itself. */
    public boolean areSingle() {
        return count == of.length;
    }

    /** The clusters of some rows, counted anew. */
    public Clusters at(int[] rows) {
        int[] numbers = new int[count];
        Arrays.fill(numbers, -1);
        int next = 0;
        int[] own = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            int cluster = of[rows[i]];
            if (numbers[cluster] < 0) {
                numbers[cluster] = next++;
            }
            own[i] = numbers[cluster];
        }
        return new Clusters(own, next);
    }

    /** How many rows each cluster holds. */
    public int[] sizes() {
        int[] sizes = new int[count];
        for (int cluster : of) {
            sizes[cluster]++;
        }
        return sizes;
    }

    /**
     * How many clusters of one size would know a mean as well: G* of Carter, Schnepel and Steigerwald (2017) for rows of equal
     * variance, which is (sum of sizes)^2 / sum of their squares. It is {@link #count} where all are of one size.
     */
    public double effective() {
        return effective(Arrays.stream(sizes()).asDoubleStream().toArray());
    }

    /** Whether there are too few for a verdict: fewer than {@value #FEW}, or than {@value #FEW_EFFECTIVE} effective ones. */
    public boolean areFew() {
        return count < FEW || effective() < FEW_EFFECTIVE;
    }

    /**
     * G* of an estimate.
     *
     * @param variances what each cluster adds to the estimate's variance where rows do not depend on each other, up to a factor
     */
    static double effective(double[] variances) {
        double sum = 0;
        double squares = 0;
        for (double variance : variances) {
            sum += variance;
            squares += variance * variance;
        }
        return squares == 0 ? 0 : sum * sum / squares;
    }

    /** Degrees of freedom of such an estimate: G* - 1, at least 1. */
    static double freedom(double[] variances) {
        return Math.max(1, effective(variances) - 1);
    }
}
