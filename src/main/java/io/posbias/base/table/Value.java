package io.posbias.base.table;

import io.posbias.base.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A number of a table.
 *
 * @param value a fraction; null if missing
 * @param interval null if unknown
 * @param thin true for the mean of a thin bucket
 * @param sample key of its queries and buckets; only numbers of equal samples are compared
 */
public record Value(@Nullable Double value, @Nullable Interval interval, boolean thin, String sample) {
    public static final Value NONE = new Value(null, null, false, "");

    public static Value of(@Nullable Double value) {
        return new Value(value, null, false, "");
    }

    /** Returns the number with a sample. */
    public Value of(String queries) {
        return new Value(value, interval, thin, queries);
    }

    /** Returns the difference without an interval; none if a number is missing. */
    public Value minus(Value other) {
        return value == null || other.value == null ? NONE : of(value - other.value);
    }
}
