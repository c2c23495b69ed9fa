package io.posbias.base.stats;

import com.fasterxml.jackson.annotation.JsonFormat;

/** Closed confidence interval. */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
public record Interval(double low, double high) {
    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("it must be two numbers, the smaller first");
        }
    }

    public boolean holds(double value) {
        return low <= value && value <= high;
    }

    /** Returns true if its ends differ; equal scores give an interval without a width. */
    public boolean hasWidth() {
        return low < high;
    }

    /** Extends the interval to a value. */
    public Interval holding(double value) {
        return new Interval(Math.min(low, value), Math.max(high, value));
    }

    /** Scales the interval; a negative factor swaps its ends. */
    public Interval times(double factor) {
        return factor < 0 ? new Interval(factor * high, factor * low) : new Interval(factor * low, factor * high);
    }

    /** Clips the interval to a range. */
    public Interval within(double least, double most) {
        return new Interval(Math.clamp(low, least, most), Math.clamp(high, least, most));
    }
}
