package io.posbias.data.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Position of a query's answer in its passage, in code points as published. {@link #span()} is in UTF-16 units, to
 * cut texts.
 *
 * @param start or {@link #UNKNOWN}
 * @param end exclusive, or {@link #UNKNOWN}
 * @param textLength code points of the text in which the span was located, or {@link #UNKNOWN}
 * @param tokenLength tokens of that text, or {@link #UNKNOWN}
 * @param labels coarse positions, for example {@code beginning}; may be empty
 * @param span in the passage's text; null if unknown or located in another text (the original of a translation)
 */
public record Evidence(
        int start,
        int end,
        int textLength,
        int tokenLength,
        List<String> labels,
        @Nullable Span span) {
    /** Marks an unknown position or length. */
    public static final int UNKNOWN = -1;

    public Evidence {
        labels = List.copyOf(labels);
    }

    /** A span of a text, in code points, without labels. */
    public static Evidence of(int start, int end, int textLength) {
        return new Evidence(start, end, textLength, UNKNOWN, List.of(), null);
    }

    /** True if start, end and text length are known. */
    public boolean isPlaced() {
        return start != UNKNOWN && textLength > 0;
    }

    /**
     * Returns the middle of the answer over the text length, clipped to [0, 1]: PosIR's position.
     *
     * @throws IllegalStateException if not {@linkplain #isPlaced() placed}
     */
    public double relativePosition() {
        if (!isPlaced()) {
            throw new IllegalStateException("evidence without a position");
        }
        return Math.clamp((start + (double) end) / 2 / textLength, 0.0, 1.0);
    }

    /**
     * Returns the bin of {@link #relativePosition()} among equal, right-closed bins; the first also contains 0.
     * Computed in integers, without rounding errors.
     *
     * @return from 0 to {@code bins - 1}
     * @throws IllegalStateException if not {@linkplain #isPlaced() placed}
     */
    public int relativeBin(int bins) {
        if (!isPlaced()) {
            throw new IllegalStateException("evidence without a position");
        }
        // position p = (start + end) / (2 length); the right-closed bin of p is ceil(p * bins) - 1.
        long scaled = ((long) start + end) * bins;
        long bin = Math.ceilDiv(scaled, 2L * textLength) - 1;
        return Math.clamp(bin, 0, bins - 1);
    }

    /** Returns the evidence's first place alone, whose relative position is that of its start. */
    public Evidence collapsed() {
        return new Evidence(start, start, textLength, tokenLength, labels, span);
    }

    Evidence resolved(int passageLength, Span inPassage) {
        return new Evidence(start, end, passageLength, tokenLength, labels, inPassage);
    }
}
