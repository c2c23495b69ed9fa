package io.posbias.probe;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a probe is, as it says itself.
 *
 * @param name of the probe, in files and tables
 * @param shape how its items belong together
 * @param meaning what the first score minus the second is, and what it means where that is above or below 0
 * @param first what is preferred where the first score is higher; null where no summary says so
 * @param firstIsRight whether the first text is the right one, so that the share of pairs it wins is an accuracy
 */
public record ProbeType(
        String name, Shape shape, String meaning, @Nullable String first, boolean firstIsRight) {
    /** The name of the paper's main comparison of names alone, SS - SL: all that the authors released of literal. */
    public static final String LITERAL_SHORT = "literal-short";

    /** A probe of pairs of which nothing else is known. */
    public static ProbeType pairs(String name) {
        return new ProbeType(name, Shape.PAIRS, "text1 - text2; positive: prefers text1", null, false);
    }

    /** A probe of pairs. */
    public static ProbeType pairs(String name, String meaning, String first) {
        return new ProbeType(name, Shape.PAIRS, meaning, first, false);
    }

    /** A probe of pairs whose first text is the right one. */
    public static ProbeType accuracy(String name, String meaning, String first) {
        return new ProbeType(name, Shape.PAIRS, meaning, first, true);
    }

    /** Whether a comparison is the one that stands for the probe. */
    boolean isHeadline(String comparison) {
        return comparison.equals(shape.headline());
    }

    @Override
    @JsonValue
    public String toString() {
        return name;
    }
}
