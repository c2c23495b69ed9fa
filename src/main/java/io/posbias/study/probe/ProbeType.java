package io.posbias.study.probe;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Type of a probe.
 *
 * @param meaning difference of the scores and its interpretation
 * @param first preference if the first score is higher; null if summaries omit it
 * @param firstIsRight true if the share of pairs the first text wins is an accuracy
 */
public record ProbeType(
        String name, Shape shape, String meaning, @Nullable String first, boolean firstIsRight) {
    /** The paper's main comparison of names, SS - SL, as released by the authors. */
    public static final String LITERAL_SHORT = "literal-short";

    /** Pairs without further description. */
    public static ProbeType pairs(String name) {
        return new ProbeType(name, Shape.PAIRS, "text1 - text2; positive: prefers text1", null, false);
    }

    public static ProbeType pairs(String name, String meaning, String first) {
        return new ProbeType(name, Shape.PAIRS, meaning, first, false);
    }

    /** Pairs whose first text is right. */
    public static ProbeType accuracy(String name, String meaning, String first) {
        return new ProbeType(name, Shape.PAIRS, meaning, first, true);
    }

    /** True for the comparison shown in summaries. */
    boolean isHeadline(String comparison) {
        return comparison.equals(shape.headline());
    }

    @Override
    @JsonValue
    public String toString() {
        return name;
    }
}
