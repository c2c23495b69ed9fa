package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.stats.Estimate;
import org.jspecify.annotations.Nullable;

/**
 * Effect of a strategy on a model over the same queries. Differences are the strategy minus the model.
 *
 * @param comparison of both
 * @param worst means of the worst bucket
 * @param harmonic harmonic means over the buckets
 * @param worstBucket the worst bucket of the model
 * @param newWorstBucket the worst bucket of the strategy
 * @param shift test that the worst bucket is another one; null where it is the same bucket, or has too few queries
 */
public record Effect(
        Comparison comparison,
        Summary worst,
        Summary harmonic,
        String worstBucket,
        String newWorstBucket,
        @Nullable Shift shift) {
    /** The outcome in a word. */
    public enum Word {
        /** The mean is up, and PSI is not. */
        IMPROVES("improves"),
        /** PSI is down, and the mean is non-inferior. */
        BALANCES("balances"),
        /** PSI is down, and the mean is down or not shown to be non-inferior. */
        TRADE_OFF("trade-off"),
        /** PSI and mean are as they were, and the worst bucket is another one. */
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
     * Limits of the words.
     *
     * @param confidence p-values below 1 minus this count
     * @param margin largest drop of the mean that does not matter, as a fraction: the mean is non-inferior where the interval
     *     of its change is above minus this
     */
    public record Criteria(double confidence, double margin) {
        /** The margin unless told otherwise: a point. */
        public static final double MARGIN = 0.01;

        /** Level of tests. */
        public double level() {
            return 1 - confidence;
        }
    }

    /**
     * Test that model and strategy have different worst buckets: both profiles must show it.
     *
     * @param model mean of the strategy's worst bucket minus that of the model's, both in the model's profile
     * @param strategy mean of the model's worst bucket minus that of the strategy's, both in the strategy's profile
     * @param pValue the larger p of both one-sided tests that these are above 0, times the number of buckets less one, among
     *     which the worst was chosen (Bonferroni); at most 1
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
     * A summary of the buckets before and after.
     *
     * @param first the model's
     * @param second the strategy's
     * @param difference second minus first, by a paired bootstrap over units within buckets; null without draws
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Summary(
            double first, double second, @Nullable Estimate difference) {
        /** Second minus first. */
        public double value() {
            return second - first;
        }
    }

    /** The difference in PSI; null where it is not defined or nothing was drawn. */
    public @Nullable Estimate psi() {
        return comparison.psi() == null ? null : comparison.psi().difference();
    }

    /** The p-value of the difference in means: by randomisation, or else by the t test. */
    public double meanP() {
        Double randomisation = comparison.randomisation();
        return randomisation == null ? comparison.difference().pValue() : randomisation;
    }

    /**
     * Returns true if PSI is down beyond noise.
     *
     * @param psiP of the difference in PSI, adjusted as the caller likes; null where it is not tested
     */
    public boolean lessensPsi(double level, @Nullable Double psiP) {
        return psiChange(level, psiP) < 0;
    }

    private double psiChange(double level, @Nullable Double psiP) {
        Estimate psi = psi();
        return psi != null && psiP != null && psiP < level ? psi.value() : 0;
    }

    /**
     * The word.
     *
     * @param meanP of the difference in means, adjusted as the caller likes
     * @param psiP of the difference in PSI; null where it is not tested
     * @param shiftP of the shift; null where it is not tested
     */
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
            return mean.interval().low() > -criteria.margin() ? Word.BALANCES : Word.TRADE_OFF;
        }
        if (meanChange < 0) {
            return Word.WORSE;
        }
        return shiftP != null && shiftP < level ? Word.SHIFTS : Word.NO_CHANGE;
    }
}
