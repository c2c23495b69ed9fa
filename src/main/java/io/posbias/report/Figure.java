package io.posbias.report;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A number of a table before it is text.
 *
 * @param value a fraction; null when there is none
 * @param interval around it; null when not known
 * @param thin whether few queries stand behind it
 */
record Figure(@Nullable Double value, @Nullable Interval interval, boolean thin) {
    /** No number. */
    static final Figure NONE = new Figure(null, null, false);

    /** A number alone. */
    static Figure of(@Nullable Double value) {
        return new Figure(value, null, false);
    }

    /** The mean of a bucket. */
    static Figure mean(BucketMean bucket) {
        return new Figure(bucket.mean(), bucket.interval(), Numbers.isMarked(bucket));
    }

    /** The mean of a profile's bucket of that name; none when it has no such bucket. */
    static Figure mean(@Nullable Profile profile, String bucket) {
        if (profile == null) {
            return NONE;
        }
        return profile.buckets().stream()
                .filter(own -> own.bucket().equals(bucket))
                .findFirst()
                .map(Figure::mean)
                .orElse(NONE);
    }

    /** The mean of a profile's bucket means. */
    static Figure bucketMean(@Nullable Profile profile) {
        return profile == null ? NONE : new Figure(profile.bucketMean(), profile.bucketInterval(), false);
    }

    /** PosIR's averages: the mean over queries for all of them, the mean of bucket means within a band of length. */
    static Figure average(@Nullable Profile profile) {
        if (profile == null) {
            return NONE;
        }
        return profile.stratum().equals(Strata.ALL)
                ? new Figure(profile.queryMean(), profile.queryInterval(), false)
                : bucketMean(profile);
    }

    /** PSI of a profile. */
    static Figure psi(@Nullable Profile profile) {
        return profile == null
                ? NONE
                : new Figure(profile.psi().value(), profile.psi().interval(), false);
    }

    /** The difference of two numbers, without an interval; none when one of them is missing. */
    Figure minus(Figure other) {
        return value == null || other.value == null ? NONE : of(value - other.value);
    }
}
