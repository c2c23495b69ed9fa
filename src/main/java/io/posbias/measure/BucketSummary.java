package io.posbias.measure;

import java.util.Arrays;
import java.util.Locale;

/** One number of the means of all buckets that hold a query. */
public enum BucketSummary {
    /** The smallest mean. */
    WORST {
        @Override
        public double of(double[] means) {
            return Arrays.stream(means).min().orElseThrow();
        }
    },
    /** The harmonic mean, which small means pull down most (Michail et al. 2026, arXiv:2606.02737); 0 if one of them is. */
    HARMONIC {
        @Override
        public double of(double[] means) {
            boolean zero = Arrays.stream(means).anyMatch(mean -> mean == 0);
            return zero
                    ? 0
                    : means.length / Arrays.stream(means).map(mean -> 1 / mean).sum();
        }
    };

    /**
     * The number.
     *
     * @param means at least one, from 0 to 1
     */
    public abstract double of(double[] means);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
