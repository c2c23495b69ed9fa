package io.posbias.table;

import io.posbias.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A number of a table before it is text.
 *
 * @param value a fraction; null when there is none
 * @param interval around it; null when not known
 * @param sample what it is of, in no words for people: numbers of other queries or buckets are not compared
 */
public record Value(@Nullable Double value, @Nullable Interval interval, boolean thin, String sample) {
    /** No number. */
    public static final Value NONE = new Value(null, null, false, "");

    /** A number alone. */
    public static Value of(@Nullable Double value) {
        return new Value(value, null, false, "");
    }

    /** Returns the number with a sample. */
    public Value of(String queries) {
        return new Value(value, interval, thin, queries);
    }

    /** The difference of two numbers, without an interval; none when one of them is missing. */
    public Value minus(Value other) {
        return value == null || other.value == null ? NONE : of(value - other.value);
    }
}
