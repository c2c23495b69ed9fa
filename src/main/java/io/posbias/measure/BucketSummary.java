package io.posbias.measure;

import java.util.Arrays;
import java.util.Locale;

/** Summary of the means of all non-empty buckets. */
public enum BucketSummary {
    /** The smallest mean. */
    WORST {
        @Override
        public double of(double[] means) {
            return Arrays.stream(means).min().orElseThrow();
        }
    },
    /** Harmonic mean, dominated by small means (Michail et al. 2026, arXiv:2606.02737); 0 if one mean is 0. */
    HARMONIC {
        @Override
        public double of(double[] means) {
            boolean zero = Arrays.stream(means).anyMatch(mean -> mean == 0);
            return zero
                    ? 0
                    : means.length / Arrays.stream(means).map(mean -> 1 / mean).sum();
        }
    };

    /** Summarises at least one mean, from 0 to 1. */
    public abstract double of(double[] means);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
