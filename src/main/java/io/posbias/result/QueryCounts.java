package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Counts of queries.
 *
 * @param unjudged without judgements, left out
 * @param unanswered judged, with an empty ranking; they score 0
 */
public record QueryCounts(
        int judged,
        int unjudged,
        @JsonProperty("in_several_buckets") int inSeveral,
        @JsonProperty("in_no_bucket") int inNone,
        int unanswered) {}
