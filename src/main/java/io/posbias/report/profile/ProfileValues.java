package io.posbias.report.profile;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.measure.Verdict;
import io.posbias.position.Strata;
import io.posbias.table.Cell;
import io.posbias.table.Mark;
import io.posbias.table.Unit;
import io.posbias.table.Value;
import org.jspecify.annotations.Nullable;

/** What tables print of profiles, before it is text. */
public final class ProfileValues {
    private ProfileValues() {}

    /** Whether a bucket's mean is printed with a mark. */
    public static boolean isMarked(BucketMean bucket) {
        return bucket.thin() && bucket.mean() != null;
    }

    /** The mean of a bucket. */
    public static Value mean(BucketMean bucket) {
        return new Value(bucket.mean(), bucket.interval(), isMarked(bucket));
    }

    /** The mean of a profile's bucket of that name; none when it has no such bucket. */
    public static Value mean(@Nullable Profile profile, String bucket) {
        if (profile == null) {
            return Value.NONE;
        }
        return profile.buckets().stream()
                .filter(own -> own.bucket().equals(bucket))
                .findFirst()
                .map(ProfileValues::mean)
                .orElse(Value.NONE);
    }

    /** The mean over a profile's queries. */
    public static Value queryMean(@Nullable Profile profile) {
        return profile == null ? Value.NONE : new Value(profile.queryMean(), profile.queryInterval(), false);
    }

    /** The mean of a profile's bucket means. */
    public static Value bucketMean(@Nullable Profile profile) {
        return profile == null ? Value.NONE : new Value(profile.bucketMean(), profile.bucketInterval(), false);
    }

    /** PosIR's averages: the mean over queries for all of them, the mean of bucket means within a band of length. */
    public static Value average(@Nullable Profile profile) {
        if (profile == null) {
            return Value.NONE;
        }
        return profile.stratum().equals(Strata.ALL) ? queryMean(profile) : bucketMean(profile);
    }

    /** PSI of a profile. */
    public static Value psi(@Nullable Profile profile) {
        return profile == null
                ? Value.NONE
                : new Value(profile.psi().value(), profile.psi().interval(), false);
    }

    /** The verdict on a profile, coloured on a terminal. */
    public static Cell verdict(@Nullable Profile profile) {
        Direction direction = profile == null ? null : profile.direction();
        Verdict verdict = direction == null ? null : direction.verdict();
        if (verdict == null) {
            return Cell.word(Unit.NONE);
        }
        Mark mark = switch (verdict) {
            case NONE -> Mark.SOUND;
            case UNDECIDED -> Mark.UNSURE;
            default -> Mark.BIASED;
        };
        return new Cell(verdict.toString(), Double.NaN, mark);
    }
}
