package io.posbias.base.stats;

import org.jspecify.annotations.Nullable;

/**
 * A number with what is known of it, where an {@link Estimate} has all.
 *
 * @param pValue two-sided; null without a test
 */
public record Tested(
        double value, @Nullable Interval interval, @Nullable Double pValue) {
    /** Null for null. */
    public static @Nullable Tested of(@Nullable Estimate estimate) {
        return estimate == null ? null : new Tested(estimate.value(), estimate.interval(), estimate.pValue());
    }
}
