package io.posbias.stats;

/**
 * A confidence interval, both ends included.
 *
 * @param low the lower end
 * @param high the upper end, at least {@code low}
 */
public record Interval(double low, double high) {
    /** Refuses an interval that is none. */
    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("no interval: " + low + " to " + high);
        }
    }

    /** Whether a value lies in it. */
    public boolean holds(double value) {
        return low <= value && value <= high;
    }

    /** The interval cut to a range that its parameter cannot leave. */
    public Interval within(double least, double most) {
        return new Interval(Math.clamp(low, least, most), Math.clamp(high, least, most));
    }
}
