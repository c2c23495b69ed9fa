package io.posbias.stats;

import com.fasterxml.jackson.annotation.JsonFormat;

/**
 * A confidence interval, both ends included.
 *
 * @param low the lower end
 * @param high the upper end, at least {@code low}
 */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
public record Interval(double low, double high) {
    /** Refuses an interval that is none. */
    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("it must be two numbers, the smaller first");
        }
    }

    /** Whether a value lies in it. */
    public boolean holds(double value) {
        return low <= value && value <= high;
    }

    /** The interval, stretched to hold a value. */
    public Interval holding(double value) {
        return new Interval(Math.min(low, value), Math.max(high, value));
    }

    /** The interval in another unit; its ends change places where the factor is below 0. */
    public Interval times(double factor) {
        return factor < 0 ? new Interval(factor * high, factor * low) : new Interval(factor * low, factor * high);
    }

    /** The interval cut to a range that its parameter cannot leave. */
    public Interval within(double least, double most) {
        return new Interval(Math.clamp(low, least, most), Math.clamp(high, least, most));
    }
}
