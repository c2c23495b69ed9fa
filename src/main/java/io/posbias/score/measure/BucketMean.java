package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.posbias.base.json.Setting;
import io.posbias.base.stats.Bootstrap;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import org.jspecify.annotations.Nullable;

/**
 * Mean of a measure over the queries of a bucket.
 *
 * @param mean null for an empty bucket
 * @param thin true if the bucket has few queries
 * @param interval BCa bootstrap interval; null without draws or with fewer than two queries
 * @param tInterval t interval, clipped to [0, 1]; null for fewer than two queries
 */
@JsonPropertyOrder({"bucket", "queries", "mean", "interval", "t_interval", "thin"})
public record BucketMean(
        String bucket,
        int queries,
        @Nullable Double mean,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @Setting(usual = "false")
        boolean thin,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Interval interval,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Interval tInterval) {

    /** The mean of a million scores from 0 to 1, added in any order, is exact to 1e6 x 2^-53, about 1e-10. */
    private static final double ROUNDING = 1e-9;

    /** Checks the ranges, because results are read from files. */
    public BucketMean {
        refuseOutside(mean);
        refuseNull(mean, queries);
        refuseOutside(interval);
        refuseOutside(tInterval);
    }

    /** Returns true from 0 to 1, except for rounding; false for NaN. */
    public static boolean isFraction(double number) {
        return number >= -ROUNDING && number <= 1 + ROUNDING;
    }

    /** Returns true if two means are equal, except for the order in which scores were added. */
    public static boolean isSame(double mean, double other) {
        return Math.abs(mean - other) <= ROUNDING;
    }

    static void refuseOutside(@Nullable Double fraction) {
        if (fraction != null && !isFraction(fraction)) {
            throw new IllegalArgumentException("means, PSI, p-values and their intervals are between 0 and 1");
        }
    }

    static void refuseNull(@Nullable Double mean, int queries) {
        if (mean == null && queries > 0) {
            throw new IllegalArgumentException("queries have a mean");
        }
    }

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

    /**
     * A mean with its intervals: BCa of queries that are clusters by themselves and differ, else the t interval in its
     * place.
     *
     * @param drawn bootstrap means; null without draws
     */
    static BucketMean of(String bucket, Moments sample, double @Nullable [] drawn, Settings settings) {
        Interval t = tInterval(sample, settings.confidence());
        Interval interval = drawn == null || t == null
                ? null
                : sample.clusters() == sample.n() && sample.squares() > 0
                        ? Bootstrap.bca(sample, drawn, settings.confidence())
                        : t;
        int queries = sample.n();
        return new BucketMean(bucket, queries, sample.mean(), queries < settings.thinBelow(), interval, t);
    }

    /** Returns the t interval of a mean of scores; null for a single cluster. */
    static @Nullable Interval tInterval(Moments sample, double confidence) {
        return sample.isEstimable() ? sample.ofScores(confidence) : null;
    }
}
