package io.posbias.report.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sampled queries of a benchmark.
 *
 * @param missing reason for missing texts and ranks; null if they are present
 */
public record Drilldown(
        String dataset, int queries, @Nullable String missing, List<SampledQuery> sample) {
    /** No relevant passage was found. */
    public static final int NOT_FOUND = 0;
}
