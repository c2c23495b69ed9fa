package io.posbias.build.text;

import io.posbias.stats.Quartiles;
import java.util.stream.IntStream;

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
        Quartiles quartiles = Quartiles.of(IntStream.of(lengths));
        return of(quartiles.q1(), quartiles.q3(), below, above);
    }

    /** The bounds that the first and the third quartile give. */
    public static LengthBounds of(double first, double third, double below, double above) {
        double range = third - first;
        return new LengthBounds(first - below * range, third + above * range);
    }

    public boolean holds(int length) {
        return length >= lower && length <= upper;
    }
}
