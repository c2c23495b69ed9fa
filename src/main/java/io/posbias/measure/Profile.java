package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.stats.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a measure depends on where the evidence lies, within one stratum of the queries.
 *
 * @param measure the measure's name
 * @param stratum {@code all} or a band of length
 * @param queries how many judged queries the stratum holds, in a bucket or not
 * @param queryMean mean over these queries; null when there are none
 * @param queryInterval Student's t interval of it, cut to [0, 1]; null for fewer than two queries
 * @param bucketMean mean over the means of the buckets that hold a query, each bucket once; null when there are none
 * @param bucketInterval percentile bootstrap interval of it, queries drawn within their buckets; null without draws
 * @param psi the Position Sensitivity Index
 * @param buckets all buckets, in their order
 * @param direction where evidence is found best; null when there are too few queries with a position
 */
@JsonPropertyOrder({
    "measure",
    "stratum",
    "queries",
    "query_mean",
    "query_mean_interval",
    "bucket_mean",
    "bucket_mean_interval",
    "psi",
    "direction",
    "buckets"
})
public record Profile(
        String measure,
        String stratum,
        int queries,
        @Nullable Double queryMean,

        @JsonProperty("query_mean_interval") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Interval queryInterval,

        @Nullable Double bucketMean,

        @JsonProperty("bucket_mean_interval") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Interval bucketInterval,

        Psi psi,
        List<BucketMean> buckets,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Direction direction) {

    /** Copies the buckets. */
    public Profile {
        buckets = List.copyOf(buckets);
    }

    /** A profile without intervals and direction: printed numbers, old results. */
    public Profile(
            String measure,
            String stratum,
            int queries,
            @Nullable Double queryMean,
            @Nullable Double bucketMean,
            Psi psi,
            List<BucketMean> buckets) {
        this(measure, stratum, queries, queryMean, null, bucketMean, null, psi, buckets, null);
    }
}
