package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.posbias.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * The mean of a measure over the queries whose evidence falls in one bucket.
 *
 * @param bucket its name
 * @param queries how many queries it holds
 * @param mean their mean; null when it holds none
 * @param thin whether it holds so few that the mean says little
 * @param interval BCa bootstrap interval of the mean; null when no draws were requested, or fewer than two queries
 * @param tInterval Student's t interval of the mean, cut to [0, 1]; null for fewer than two queries
 */
@JsonPropertyOrder({"bucket", "queries", "mean", "interval", "t_interval", "thin"})
public record BucketMean(
        String bucket,
        int queries,
        @Nullable Double mean,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        boolean thin,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Interval interval,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Interval tInterval) {

    /** A mean without intervals. */
    public BucketMean(String bucket, int queries, @Nullable Double mean, boolean thin) {
        this(bucket, queries, mean, thin, null, null);
    }
}
