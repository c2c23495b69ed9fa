package io.posbias.stats;

import org.jspecify.annotations.Nullable;

/**
 * Mean with its t interval.
 *
 * @param interval null for fewer than two values
 */
public record Mean(double mean, @Nullable Interval interval) {
    public static Mean of(double[] values, double confidence) {
        Moments moments = Moments.of(values);
        return new Mean(
                moments.mean(),
                moments.n() < 2 ? null : moments.estimate(confidence).interval());
    }
}
