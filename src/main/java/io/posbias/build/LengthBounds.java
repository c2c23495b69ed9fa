package io.posbias.build;

import java.util.Arrays;

/**
 * Bounds of lengths beyond which one is an outlier: {@code Q1 - 3 IQR} and {@code Q3 + 1.5 IQR}. PosIR (arXiv:2601.08363,
 * appendix B) says "asymmetric"; its maxima in Table 4 agree with an upper factor of 1.5, the lower one is ours.
 *
 * @param lower lengths below it are outliers
 * @param upper lengths above it are outliers
 */
record LengthBounds(double lower, double upper) {
    private static final double LOWER_FACTOR = 3;
    private static final double UPPER_FACTOR = 1.5;

    /** The bounds of some lengths, at least one. */
    static LengthBounds of(int[] lengths) {
        int[] sorted = lengths.clone();
        Arrays.sort(sorted);
        return of(quantile(sorted, 0.25), quantile(sorted, 0.75));
    }

    /** The bounds of the first and the third quartile. */
    static LengthBounds of(double first, double third) {
        double range = third - first;
        return new LengthBounds(first - LOWER_FACTOR * range, third + UPPER_FACTOR * range);
    }

    /** Linear between neighbours, as {@code numpy.quantile} does it. */
    static double quantile(int[] sorted, double p) {
        double at = p * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    boolean holds(int length) {
        return length >= lower && length <= upper;
    }
}
