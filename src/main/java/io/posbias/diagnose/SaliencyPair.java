package io.posbias.diagnose;

import io.posbias.dataset.Span;
import org.jspecify.annotations.Nullable;

/**
 * A query and a text.
 *
 * @param text text1 or text2 of a probe's item; empty for benchmarks
 * @param evidence in UTF-16 units; null if unknown
 */
public record SaliencyPair(
        String id,
        String text,
        String query,
        String document,
        @Nullable Span evidence,
        String unit) {
    /** The identifier, with the name of a probe's text. */
    public String name() {
        return text.isEmpty() ? id : id + ":" + text;
    }
}
