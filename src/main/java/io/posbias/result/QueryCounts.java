package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How the queries of a benchmark were counted.
 *
 * @param judged queries with judgements: those that are scored
 * @param unjudged queries without, which are left out
 * @param inSeveral judged queries in more than one bucket
 * @param inNone judged queries in no bucket
 * @param unanswered judged queries for which the run found nothing; they score 0
 */
public record QueryCounts(
        int judged,
        int unjudged,
        @JsonProperty("in_several_buckets") int inSeveral,
        @JsonProperty("in_no_bucket") int inNone,
        int unanswered) {}
