package io.posbias.report.profile;

import io.posbias.base.table.Cell;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Value;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
    public static Optional<String> thinNote(List<Profile> profiles, String few) {
        String psi = profiles.stream().anyMatch(Profile::hasThinPsi) ? "; no PSI is printed of it" : "";
        return thinMeansNote(profiles, few).map(note -> note + psi);
    }

    /** {@link #thinNote} where no PSI is printed. */
    public static Optional<String> thinMeansNote(List<Profile> profiles, String few) {
        return profiles.stream().flatMap(profile -> profile.buckets().stream()).anyMatch(ProfileValues::isMarked)
                ? Optional.of(NumberFormat.THIN + " " + few + " queries: the mean says little")
                : Optional.empty();
    }

    /** Note on PSI that is not printed; empty without any. */
    public static Optional<String> thinPsiNote(List<Profile> profiles) {
        return profiles.stream().anyMatch(Profile::hasThinPsi) ? Optional.of(Profile.THIN_PSI) : Optional.empty();
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

    /** {@link Profile#average}, with its interval. */
    public static Value average(@Nullable Profile profile) {
        if (profile == null) {
            return Value.NONE;
        }
        return profile.averagesQueries() ? queryMean(profile) : bucketMean(profile);
    }

    public static Value psi(@Nullable Profile profile) {
        return profile == null
                ? Value.NONE
                : new Value(profile.printedPsi().value(), profile.printedPsi().interval(), false, sample(profile));
    }

    /** Verdict of a profile, with the content held fixed marked {@value NumberFormat#FIXED}. */
    public static Cell verdict(@Nullable Profile profile) {
        return profile == null ? Cell.word(NumberFormat.NONE) : verdict(profile, profile.verdicts());
    }

    /** @param verdicts of the profile, beside those of other rows */
    static Cell verdict(Profile profile, List<Verdict> verdicts) {
        if (verdicts.isEmpty()) {
            return Cell.word(NumberFormat.NONE);
        }
        Cell cell = Verdict.cell(verdicts);
        return profile.contentFixed() == null ? cell : cell.marked(NumberFormat.FIXED);
    }

    /** The note on a column of verdicts: the mark of fixed content. */
    public static Optional<String> fixedNote(List<Profile> profiles) {
        return profiles.stream().anyMatch(profile -> profile.contentFixed() != null && profile.verdict() != null)
                ? Optional.of(NumberFormat.FIXED + " with the content held fixed")
                : Optional.empty();
    }
}
