package io.posbias.build.text;

import java.util.Arrays;

/**
 * Bounds of lengths beyond which one is an outlier: some interquartile ranges below Q1 and above Q3. PosIR (arXiv:2601.08363,
 * appendix B) says "asymmetric"; its maxima in Table 4 agree with an upper factor of 1.5; a lower one of 3 is ours.
 *
 * @param lower lengths below it are outliers
 * @param upper lengths above it are outliers
 */
public record LengthBounds(double lower, double upper) {
    /**
     * The bounds of some lengths, at least one.
     *
     * @param below interquartile ranges below the first quartile
     * @param above interquartile ranges above the third quartile
     */
    public static LengthBounds of(int[] lengths, double below, double above) {
        int[] sorted = lengths.clone();
        Arrays.sort(sorted);
        return of(quantile(sorted, 0.25), quantile(sorted, 0.75), below, above);
    }

    /** The bounds that the first and the third quartile give. */
    public static LengthBounds of(double first, double third, double below, double above) {
        double range = third - first;
        return new LengthBounds(first - below * range, third + above * range);
    }

    /** Linear between neighbours, as {@code numpy.quantile} does it. */
    public static double quantile(int[] sorted, double p) {
        double at = p * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    public boolean holds(int length) {
        return length >= lower && length <= upper;
    }
}
