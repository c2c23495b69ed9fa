package io.posbias.diagnose;

import io.posbias.dataset.Span;
import org.jspecify.annotations.Nullable;

/**
 * A query and a text whose score is looked at.
 *
 * @param id of the query, or of the item of a probe
 * @param text text1 or text2 of a probe's item; empty where a query has but one
 * @param query the question
 * @param document the text that is scored for it
 * @param evidence the answer in it, in UTF-16 units; null when that is not known
 * @param unit pairs of one unit count as one for intervals and tests
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
