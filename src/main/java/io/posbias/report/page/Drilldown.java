package io.posbias.report.page;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a page shows of single queries of one benchmark.
 *
 * @param dataset its name
 * @param queries how many queries there are
 * @param sample those that are shown
 * @param texts by query id; empty when they are not here
 * @param missing why texts and ranks are not here; null when they are
 * @param ranks by model and query id: the rank of the first relevant passage from 1, or {@link #NOT_FOUND}; models of
 *     which no run is here are not in it
 */
public record Drilldown(
        String dataset,
        int queries,
        List<SampledQuery> sample,
        Map<String, QueryTexts> texts,
        @Nullable String missing,
        Map<String, Map<String, Integer>> ranks) {
    /** No relevant passage was found. */
    public static final int NOT_FOUND = 0;
}
