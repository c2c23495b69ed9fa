package io.posbias.report.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.report.query.LoadedQuery;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query that a page shows.
 *
 * @param id its identifier
 * @param buckets the names of its buckets
 * @param stratum its band of length; empty for none
 * @param place where the evidence begins and ends and how long its passage is, in code points; null when not known
 * @param scores by model and measure; a model that was not asked is not in it
 * @param ranks by model: the rank of the first relevant passage from 1, or {@link Drilldown#NOT_FOUND}; models of which
 *     no run is here are not in it
 * @param texts null when they are not here
 */
public record SampledQuery(
        String id,
        List<String> buckets,
        String stratum,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Integer> place,
        Map<String, Map<String, Double>> scores,
        Map<String, Integer> ranks,
        @JsonUnwrapped @Nullable QueryTexts texts) {
    SampledQuery with(@Nullable LoadedQuery loaded) {
        return new SampledQuery(
                id, buckets, stratum, place, scores, ranks, loaded == null ? null : QueryTexts.of(loaded));
    }
}
