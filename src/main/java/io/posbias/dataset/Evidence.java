package io.posbias.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where in its passage a query's answer lies. Positions are what the benchmarks publish: Unicode code points. Buckets
 * are made from these; text is cut with {@link #span()}, which the reader has converted to UTF-16 units.
 *
 * @param start first code point of the answer, or {@link #UNKNOWN}
 * @param end the code point after its last, or {@link #UNKNOWN}
 * @param textLength length in code points of the text that start and end were measured in, or {@link #UNKNOWN}
 * @param tokenLength its length in tokens, of the original passage where this one is a translation, or {@link #UNKNOWN}
 * @param labels coarse positions such as {@code beginning}; empty when the benchmark gives none
 * @param span the answer in the passage's own text, in UTF-16 units; null when the positions are unknown or were
 *     measured in another text (a translation's original)
 */
public record Evidence(
        int start,
        int end,
        int textLength,
        int tokenLength,
        List<String> labels,
        @Nullable Span span) {
    /** Stands for a position or length that the benchmark does not give. */
    public static final int UNKNOWN = -1;

    /** Copies the labels. */
    public Evidence {
        labels = List.copyOf(labels);
    }

    /** Whether start, end and text length are known. */
    public boolean isPlaced() {
        return start != UNKNOWN && textLength > 0;
    }

    /**
     * The middle of the answer over the length of the text, clipped to [0, 1]: PosIR's position.
     *
     * @throws IllegalStateException if the evidence is not {@linkplain #isPlaced() placed}
     */
    public double relativePosition() {
        if (!isPlaced()) {
            throw new IllegalStateException("evidence without a position");
        }
        return Math.clamp((start + (double) end) / 2 / textLength, 0.0, 1.0);
    }

    /**
     * The bin of {@link #relativePosition()} among equal ones: bins are right-closed, and the first holds 0 as well. Edges
     * are compared in whole numbers, so no position falls on the wrong side by rounding.
     *
     * @param bins how many, at least 1
     * @return from 0 to {@code bins - 1}
     * @throws IllegalStateException if the evidence is not {@linkplain #isPlaced() placed}
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

    Evidence resolved(int passageLength, Span inPassage) {
        return new Evidence(start, end, passageLength, tokenLength, labels, inPassage);
    }
}
