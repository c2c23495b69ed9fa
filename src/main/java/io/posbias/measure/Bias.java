package io.posbias.measure;

import io.posbias.stats.Estimate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a model does with positions where the content stays the same, in one word. With a = 1 - confidence, the three tests
 * (front - back, middle - ends, cPSI) are made at a / 2. A direction is the larger of the two contrasts that reject; it is
 * {@code truncation} where it is not found among queries whose evidence the model reads at every place. Without one it is
 * {@code uneven} when cPSI's test rejects; {@code none} when no p is below a and cPSI's noise floor is at most
 * {@value Verdict#SEEN}; else {@code undecided}, because no interval beside it may exclude what {@code none} says.
 *
 * <p>Of a benchmark of windows the one direction is that of front - back: around the middle of a window there is text near the
 * evidence on both sides, at its ends on one, so that models that see no positions prefer the middle too. What else rejects
 * makes it {@code undecided}, since it may be content.
 */
public enum Bias {
    PRIMACY("evidence at the front scores highest"),
    RECENCY("evidence at the back scores highest"),
    MIDDLE("evidence in the middle scores highest"),
    EDGES("evidence in the middle scores lowest"),
    UNEVEN("places differ, but not by front against back or middle against both ends"),
    TRUNCATION("evidence scores lower where the model does not read it; where it reads all, no direction is found"),
    NONE("no difference between positions beyond noise"),
    UNDECIDED("too few queries to tell");

    private final String meaning;

    Bias(String meaning) {
        this.meaning = meaning;
    }

    /** What it says, with its thresholds, for people. */
    public String meaning(double confidence) {
        return meaning(confidence, false);
    }

    /** @param byEnds whether a direction is told by front - back alone */
    public String meaning(double confidence, boolean byEnds) {
        String level = Verdict.print(1 - confidence);
        String half = Verdict.print((1 - confidence) / 2);
        String seen = Verdict.print(Verdict.SEEN);
        String thresholds = switch (this) {
            case PRIMACY, RECENCY -> "p of front - back below " + half;
            case MIDDLE, EDGES -> "p of middle - ends below " + half;
            case UNEVEN -> "p of cPSI below " + half;
            case TRUNCATION -> "";
            case NONE -> "every p at least " + level + ", noise95 at most " + seen;
            case UNDECIDED ->
                (byEnds ? "p of front - back" : "every p") + " at least " + half + "; noise95 above " + seen
                        + ", or a p below " + level;
        };
        String said = byEnds && this == UNDECIDED
                ? "too few queries to tell, or a difference that content can make"
                : meaning;
        return "with the content held fixed, " + said + (thresholds.isEmpty() ? "" : " (" + thresholds + ")");
    }

    /** The word. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it says where evidence scores highest or lowest. */
    boolean isDirection() {
        return compareTo(EDGES) <= 0;
    }

    /**
     * The verdict of three tests, whatever was read.
     *
     * @param byEnds whether a direction is told by front - back alone
     */
    static Bias of(Estimate frontMinusBack, Estimate middleMinusEnds, Psi cpsi, boolean byEnds, double confidence) {
        Bias direction = direction(frontMinusBack, byEnds ? null : middleMinusEnds, confidence);
        if (direction != null) {
            return direction;
        }
        double level = 1 - confidence;
        double p = cpsi.pValue() == null ? 1 : cpsi.pValue();
        if (p < level / 2 && !byEnds) {
            return UNEVEN;
        }
        boolean none = Math.min(p, Math.min(frontMinusBack.pValue(), middleMinusEnds.pValue())) >= level;
        return none && cpsi.noise95() != null && cpsi.noise95() <= Verdict.SEEN ? NONE : UNDECIDED;
    }

    /** The larger of two contrasts that reject; null where neither does. */
    static @Nullable Bias direction(
            @Nullable Estimate frontMinusBack, @Nullable Estimate middleMinusEnds, double confidence) {
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
