package io.posbias.stats;

import org.jspecify.annotations.Nullable;

/**
 * A mean with its uncertainty.
 *
 * @param mean of the values
 * @param interval Student's t interval; null for fewer than two values
 */
public record Mean(double mean, @Nullable Interval interval) {
    /** The mean of at least one value. */
    public static Mean of(double[] values, double confidence) {
        Moments moments = Moments.of(values);
        return new Mean(
                moments.mean(),
                moments.n() < 2 ? null : moments.estimate(confidence).interval());
    }
}
