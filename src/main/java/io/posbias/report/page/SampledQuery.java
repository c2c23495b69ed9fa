package io.posbias.report.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.report.query.LoadedQuery;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query of a page.
 *
 * @param stratum empty for none
 * @param place start and end of the evidence and length of its passage in code points; null if unknown
 * @param ranks by model with a run: rank of the first relevant passage from 1, or {@link Drilldown#NOT_FOUND}
 * @param texts null if missing
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
