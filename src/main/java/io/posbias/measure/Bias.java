package io.posbias.measure;

import io.posbias.stats.Estimate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a model does with positions where the content stays the same, in one word; {@link ContentFixed} has the test. */
public enum Bias {
    PRIMACY("with the content held fixed, evidence at the front scores highest"),
    RECENCY("with the content held fixed, evidence at the back scores highest"),
    MIDDLE("with the content held fixed, evidence in the middle scores highest"),
    EDGES("with the content held fixed, evidence in the middle scores lowest"),
    UNEVEN("with the content held fixed, places differ, but not by front against back or middle against both ends"),
    TRUNCATION("evidence scores lower where the model does not read it; where it reads all, no direction is found"),
    NONE("with the content held fixed, no difference between positions beyond noise"),
    UNDECIDED("with the content held fixed, too few queries to tell");

    private final String meaning;

    Bias(String meaning) {
        this.meaning = meaning;
    }

    /** What it says, for people. */
    public String meaning() {
        return meaning;
    }

    /** The word. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The direction of two contrasts, each tested at half the level (Bonferroni): the larger of those that reject.
     *
     * @return null where neither does
     */
    static @Nullable Bias of(@Nullable Estimate frontMinusBack, @Nullable Estimate middleMinusEnds, double confidence) {
        double ends = significant(frontMinusBack, confidence);
        double middle = significant(middleMinusEnds, confidence);
        if (ends == 0 && middle == 0) {
            return null;
        }
        if (Math.abs(middle) > Math.abs(ends)) {
            return middle > 0 ? MIDDLE : EDGES;
        }
        return ends > 0 ? PRIMACY : RECENCY;
    }

    private static double significant(@Nullable Estimate contrast, double confidence) {
        return contrast == null || contrast.pValue() >= (1 - confidence) / 2 ? 0 : contrast.value();
    }
}
