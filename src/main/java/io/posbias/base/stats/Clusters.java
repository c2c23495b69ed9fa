package io.posbias.base.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Clusters of the rows of a sample, for example queries of one passage. Rows of a cluster may depend on each other.
 *
 * @param of the cluster of each row, from 0; do not modify
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record Clusters(int[] of, int count) {
    /** Minimum number of clusters for nominal coverage (Cameron and Miller 2015). */
    public static final int FEW = 20;

    /** Minimum number of {@linkplain #effective effective} clusters. */
    public static final int FEW_EFFECTIVE = 10;

    /** Number of effective clusters from which draws of clusters have about normal tails. */
    public static final int MANY_EFFECTIVE = 40;

    public static Clusters single(int rows) {
        return new Clusters(IntStream.range(0, rows).toArray(), rows);
    }

    public static Clusters named(List<String> names) {
        Map<String, Integer> numbers = HashMap.newHashMap(names.size());
        int[] of = new int[names.size()];
        for (int row = 0; row < of.length; row++) {
            of[row] = numbers.computeIfAbsent(names.get(row), name -> numbers.size());
        }
        return new Clusters(of, numbers.size());
    }

    /** Clusters of some sizes, their rows one after the other. */
    public static Clusters ofSizes(int[] sizes) {
        return new Clusters(
                IntStream.range(0, sizes.length)
                        .flatMap(cluster -> IntStream.generate(() -> cluster).limit(sizes[cluster]))
                        .toArray(),
                sizes.length);
    }

    public boolean areSingle() {
        return count == of.length;
    }

    /** The clusters of some rows, renumbered. */
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

    public int[] sizes() {
        int[] sizes = new int[count];
        for (int cluster : of) {
            sizes[cluster]++;
        }
        return sizes;
    }

    /**
     * Effective number of clusters: G* of Carter, Schnepel and Steigerwald (2017) for rows of equal variance, (sum of sizes)^2
     * / sum of squared sizes. Equals {@link #count} for clusters of one size.
     */
    public double effective() {
        return effective(Arrays.stream(sizes()).asDoubleStream().toArray());
    }

    /** Degrees of freedom of a mean: G* - 1, at least 1. */
    public double freedom() {
        return freedom(effective());
    }

    /**
     * Returns true if there are too few for a verdict: fewer than {@value #FEW}, or than {@value #FEW_EFFECTIVE} effective
     * ones.
     */
    public boolean areFew() {
        return count < FEW || effective() < FEW_EFFECTIVE;
    }

    /** G* of an estimate from each cluster's contribution to its variance, up to a factor. */
    static double effective(double[] variances) {
        double sum = 0;
        double squares = 0;
        for (double variance : variances) {
            sum += variance;
            squares += variance * variance;
        }
        return squares == 0 ? 0 : sum * sum / squares;
    }

    /** Degrees of freedom of G* clusters: one less, at least 1. */
    public static double freedom(double effective) {
        return Math.max(1, effective - 1);
    }

    /** Degrees of freedom of an estimate, as {@link #effective(double[])}. */
    static double freedom(double[] variances) {
        return freedom(effective(variances));
    }
}
