package io.posbias.report.profile;

import io.posbias.base.table.Cell;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Value;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Verdict;
import io.posbias.study.diagnose.PositionTables;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Printed values of profiles. */
public final class ProfileValues {
    private ProfileValues() {}

    private static boolean isMarked(BucketMean bucket) {
        return bucket.thin() && bucket.mean() != null;
    }

    /**
     * Note on thin buckets; empty without any.
     *
     * @param few size of a thin bucket, like {@code fewer than 20}
     */
    public static Optional<String> thinNote(Stream<Profile> profiles, String few) {
        return profiles.flatMap(profile -> profile.buckets().stream()).anyMatch(ProfileValues::isMarked)
                ? Optional.of(NumberFormat.THIN + " " + few + " queries: the mean says little")
                : Optional.empty();
    }

    public static Value mean(BucketMean bucket) {
        return new Value(bucket.mean(), bucket.interval(), isMarked(bucket), bucket.bucket() + " " + bucket.queries());
    }

    /** Mean of a bucket by name; none without that bucket. */
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

    public static Value queryMean(@Nullable Profile profile) {
        return profile == null
                ? Value.NONE
                : new Value(profile.queryMean(), profile.queryInterval(), false, String.valueOf(profile.queries()));
    }

    public static Value bucketMean(@Nullable Profile profile) {
        return profile == null
                ? Value.NONE
                : new Value(profile.bucketMean(), profile.bucketInterval(), false, sample(profile));
    }

    private static String sample(Profile profile) {
        return profile.queries()
                + profile.buckets().stream()
                        .map(bucket -> ", " + bucket.bucket() + " " + bucket.queries())
                        .collect(Collectors.joining());
    }

    /** Sample of a mean over profiles. */
    public static String sample(List<Profile> profiles) {
        return profiles.stream().map(ProfileValues::sample).collect(Collectors.joining("; "));
    }

    /** Plain mean over benchmarks; null if a number is missing. */
    public static @Nullable Double mean(List<Profile> profiles, Function<Profile, @Nullable Double> number) {
        List<Double> numbers =
                profiles.stream().map(number).filter(Objects::nonNull).toList();
        return numbers.isEmpty() || numbers.size() < profiles.size()
                ? null
                : (Double) (numbers.stream().mapToDouble(Double::doubleValue).sum() / numbers.size());
    }

    /** PosIR's average: the query mean over all queries, the bucket mean in a length band. */
    public static Value average(@Nullable Profile profile) {
        if (profile == null) {
            return Value.NONE;
        }
        return profile.stratum().equals(Strata.ALL) ? queryMean(profile) : bucketMean(profile);
    }

    /** Returns true if the lowest or the highest bucket is thin. */
    public static boolean hasThinPsi(Profile profile) {
        List<BucketMean> held = profile.buckets().stream()
                .filter(bucket -> bucket.mean() != null)
                .toList();
        Comparator<BucketMean> byMean = Comparator.comparingDouble(bucket -> Objects.requireNonNull(bucket.mean()));
        return !held.isEmpty()
                && (Collections.min(held, byMean).thin()
                        || Collections.max(held, byMean).thin());
    }

    public static Value psi(@Nullable Profile profile) {
        return profile == null
                ? Value.NONE
                : new Value(profile.psi().value(), profile.psi().interval(), false, sample(profile));
    }

    /** Verdict of a profile. */
    public static Cell verdict(@Nullable Profile profile) {
        if (profile == null) {
            return Cell.word(NumberFormat.NONE);
        }
        Verdict verdict = profile.verdict();
        return verdict == null ? Cell.word(NumberFormat.NONE) : PositionTables.verdict(verdict);
    }
}
