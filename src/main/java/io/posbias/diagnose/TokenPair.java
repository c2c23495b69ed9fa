package io.posbias.diagnose;

import io.posbias.dataset.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query and a text whose score is taken apart.
 *
 * @param id of the query
 * @param text which text of the query it is, the first or second of a probe; empty where a query has but one
 * @param query the question
 * @param document the text that is scored for it
 * @param evidence the answer in it, in UTF-16 units; null when that is not known
 * @param buckets of the position of the evidence; none when that is not known
 * @param unit pairs of one unit count as one for intervals and tests
 */
public record TokenPair(
        String id,
        String text,
        String query,
        String document,
        @Nullable Span evidence,
        List<String> buckets,
        String unit) {
    /** Copies the buckets. */
    public TokenPair {
        buckets = List.copyOf(buckets);
    }
}
