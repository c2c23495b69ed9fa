package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.stats.Estimate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a strategy does to a model on the same queries. Differences are the strategy minus the model.
 *
 * @param comparison of both
 * @param worst means of the worst bucket
 * @param harmonic harmonic means over the buckets
 * @param worstBucket the worst bucket of the model
 * @param newWorstBucket that of the strategy
 * @param shift by how much the model's worst bucket gained more than the strategy's worst one, by the paired t test over
 *     units; null where both are the same bucket
 */
public record Effect(
        Comparison comparison,
        Summary worst,
        Summary harmonic,
        String worstBucket,
        String newWorstBucket,
        @Nullable Estimate shift) {
    /** What it comes to, in a word. */
    public enum Word {
        /** PSI is down, the mean is not. */
        CURES,
        /** PSI is down, and so is the mean. */
        TRADES,
        /** PSI is as it was, but another bucket is the worst. */
        MOVES,
        /** Neither: PSI and the worst bucket are as they were, and the mean is not down. */
        NOTHING,
        /** PSI is up, or the mean is down and PSI is not. */
        WORSE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
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
     * The word.
     *
     * @param level below which a p-value counts
     * @param meanP of the difference in means, adjusted as the caller likes; likewise the others
     * @param psiP null where there is none
     * @param shiftP null where there is none
     */
    public Word word(double level, double meanP, @Nullable Double psiP, @Nullable Double shiftP) {
        Estimate psi = psi();
        double psiChange = psi != null && psiP != null && psiP < level ? psi.value() : 0;
        boolean meanDown = comparison.difference().value() < 0 && meanP < level;
        if (psiChange < 0) {
            return meanDown ? Word.TRADES : Word.CURES;
        }
        if (psiChange > 0 || meanDown) {
            return Word.WORSE;
        }
        boolean moved = shift != null && shift.value() > 0 && shiftP != null && shiftP < level;
        return moved ? Word.MOVES : Word.NOTHING;
    }
}
