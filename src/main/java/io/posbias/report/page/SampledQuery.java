package io.posbias.report.page;

import io.posbias.dataset.Evidence;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A query that a page shows, without its texts.
 *
 * @param id its identifier
 * @param buckets the names of its buckets
 * @param stratum its band of length; empty for none
 * @param evidence where it lies, as far as queries.csv says; null when no file says
 * @param scores by model and measure; a model that was not asked is not in it
 */
public record SampledQuery(
        String id,
        List<String> buckets,
        String stratum,
        @Nullable Evidence evidence,
        Map<String, Map<String, Double>> scores) {}
