package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Meaning;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Effect of a strategy on a model over the same queries. Differences are strategy minus model. */
public record Effect(
        @Meaning(value = "as of [compare](#compare), with the model first and the strategy second", unit = "as there")
        Comparison comparison,

        @Meaning(
                value =
                        "mean of the worst bucket of the model and of the strategy, and the difference by a paired bootstrap",
                unit = "fraction")
        Summary worst,

        @Meaning(value = "harmonic mean over the buckets, and the difference by a paired bootstrap", unit = "fraction")
        Summary harmonic,

        @Meaning("position bucket with the model's lowest mean")
        String worstBucket,

        @Meaning("position bucket with the strategy's lowest mean")
        String newWorstBucket,

        @Meaning(
                value =
                        "test that the worst bucket is another one: the strategy's minus the model's of the model's means,"
                                + " the model's minus the strategy's of the strategy's means, and the p-value of both; empty if it"
                                + " is the same or has too few queries",
                unit = "fraction")
        @Nullable
        Shift shift) {
    public enum Word {
        /** The mean is up, and PSI is not. */
        IMPROVES("improves"),
        /** PSI is down, and the mean is non-inferior. */
        BALANCES("balances"),
        /** PSI is down, and the mean is shown neither to be non-inferior nor to be down. */
        MEAN_UNDETERMINED("balances, mean undetermined"),
        /** PSI is down, and the mean is down. */
        TRADE_OFF("trade-off"),
        /** PSI and mean did not change, and the worst bucket is another one. */
        SHIFTS("shifts"),
        /** PSI is up, or the mean is down and PSI is not. */
        WORSE("worse"),
        /** No change beyond noise. */
        NO_CHANGE("no detectable change");

        private final String word;

        Word(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /**
     * Criteria of the outcomes.
     *
     * @param margin largest acceptable drop of the mean, as a fraction: the mean is non-inferior if the interval of its change
     *     is above minus this
     */
    public record Criteria(double confidence, double margin) {
        /** Default margin: one point. */
        public static final double MARGIN = 0.01;

        public double level() {
            return 1 - confidence;
        }
    }

    /**
     * Test that both profiles show different worst buckets.
     *
     * @param model the strategy's worst bucket minus the model's, in the model's profile
     * @param strategy the model's worst bucket minus the strategy's, in the strategy's profile
     * @param pValue the larger of both one-sided p-values, times the number of buckets minus one (Bonferroni)
     */
    public record Shift(Estimate model, Estimate strategy, double pValue) {
        static Shift of(Estimate model, Estimate strategy, int buckets) {
            double larger = Math.max(oneSided(model), oneSided(strategy));
            return new Shift(model, strategy, Math.min(1, larger * (buckets - 1)));
        }

        private static double oneSided(Estimate difference) {
            return difference.value() > 0 ? difference.pValue() / 2 : 1 - difference.pValue() / 2;
        }
    }

    /**
     * Summary before and after.
     *
     * @param difference by a paired bootstrap over clusters; null without draws
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Summary(
            double first, double second, @Nullable Estimate difference) {}

    /** The difference in PSI; null if undefined or without draws. */
    public @Nullable Estimate psi() {
        return comparison.psi() == null ? null : comparison.psi().difference();
    }

    /**
     * Returns true if PSI decreased beyond noise.
     *
     * @param psiP adjusted p-value; null without a test
     */
    public boolean lessensPsi(double level, @Nullable Double psiP) {
        return psiChange(level, psiP) < 0;
    }

    private double psiChange(double level, @Nullable Double psiP) {
        Estimate psi = psi();
        return psi != null && psiP != null && psiP < level ? psi.value() : 0;
    }

    /** Determines the outcome from adjusted p-values; null without a test. */
    public Word word(Criteria criteria, double meanP, @Nullable Double psiP, @Nullable Double shiftP) {
        double level = criteria.level();
        Estimate mean = comparison.difference();
        double meanChange = meanP < level ? mean.value() : 0;
        double psiChange = psiChange(level, psiP);
        if (psiChange > 0) {
            return Word.WORSE;
        }
        if (meanChange > 0) {
            return Word.IMPROVES;
        }
        if (psiChange < 0) {
            boolean holds = mean.interval().low() > -criteria.margin();
            return holds ? Word.BALANCES : meanChange < 0 ? Word.TRADE_OFF : Word.MEAN_UNDETERMINED;
        }
        if (meanChange < 0) {
            return Word.WORSE;
        }
        return shiftP != null && shiftP < level ? Word.SHIFTS : Word.NO_CHANGE;
    }

    /** Summary of the means of all non-empty buckets. */
    public enum BucketSummary {
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
                        : means.length
                                / Arrays.stream(means).map(mean -> 1 / mean).sum();
            }
        };

        /** Summarises at least one mean, from 0 to 1. */
        public abstract double of(double[] means);

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
