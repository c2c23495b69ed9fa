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

    private static final double ROUNDING = 1e-9;

    /** Refuses what is no mean of a measure: results are read from files. */
    public BucketMean {
        refuseOutside(mean);
        refuseOutside(interval);
        refuseOutside(tInterval);
    }

    /** Refuses a number that is no fraction. */
    static void refuseOutside(@Nullable Double fraction) {
        if (fraction != null && !(fraction >= -ROUNDING && fraction <= 1 + ROUNDING)) {
            throw new IllegalArgumentException("means, PSI, p-values and their intervals are between 0 and 1");
        }
    }

    /** Refuses an interval of such a number that leaves its range. */
    static void refuseOutside(@Nullable Interval interval) {
        if (interval != null) {
            refuseOutside((Double) interval.low());
            refuseOutside((Double) interval.high());
        }
    }

    /** A mean without intervals. */
    public BucketMean(String bucket, int queries, @Nullable Double mean, boolean thin) {
        this(bucket, queries, mean, thin, null, null);
    }
}
