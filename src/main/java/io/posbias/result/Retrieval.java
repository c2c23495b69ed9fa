package io.posbias.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.posbias.measure.PoolRecall;
import io.posbias.measure.Truncation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Truncation, first stage and cost of a search.
 *
 * @param firstStage candidates of a reranker; null for one stage
 * @param searchStats statistics of the search, like an approximate index's recall
 * @param usage texts encoded, calls, dollars; differs between runs
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Retrieval(
        @JsonProperty("truncation") @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<Truncation> truncations,

        @Nullable PoolRecall firstStage,

        @JsonProperty("search") @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<String, Double> searchStats,

        @JsonProperty("effort") @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<String, Double> usage) {
    /** Unknown, for runs of other systems. */
    public static final Retrieval NONE = new Retrieval(List.of(), null, Map.of(), Map.of());

    public Retrieval {
        truncations = List.copyOf(truncations);
        searchStats = new LinkedHashMap<>(searchStats);
        usage = new LinkedHashMap<>(usage);
    }
}
