package io.posbias.report.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a page shows of single queries of one benchmark.
 *
 * @param dataset its name
 * @param queries how many queries there are
 * @param missing why texts and ranks are not here; null when they are
 * @param sample those that are shown
 */
public record Drilldown(
        String dataset, int queries, @Nullable String missing, List<SampledQuery> sample) {
    /** No relevant passage was found. */
    public static final int NOT_FOUND = 0;
}
