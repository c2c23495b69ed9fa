package io.posbias.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bucket or place with the most truncated evidence, which may explain a verdict by itself.
 *
 * @param share of its queries whose evidence begins past the cut, {@value #LEAST} to 1
 */
public record Unread(String where, double share) {
    /** Smaller shares change a bucket's mean by less than the width of its interval. */
    public static final double LEAST = 0.05;

    /** End of a note. */
    public static final String TRUNCATED = " truncated)";

    /** Legend of the note. */
    public static final String MEANING =
            "truncated: the model did not read the evidence of so many queries of the bucket, which alone may make the difference";

    /** Verdicts without a note. */
    private static final Set<Enum<?>> BARE = Set.of(
            Verdict.NONE, Verdict.UNDECIDED, Verdict.TOO_FEW, Bias.NONE, Bias.UNDECIDED, Bias.TOO_FEW, Bias.TRUNCATION);

    /**
     * The most truncated bucket.
     *
     * @return null if no share reaches {@value #LEAST}
     */
    public static @Nullable Unread of(List<Truncation> truncations, List<BucketMean> buckets) {
        return most(buckets.stream()
                .filter(bucket -> bucket.queries() > 0)
                .flatMap(bucket -> truncations.stream()
                        .flatMap(truncation -> truncation.buckets().stream())
                        .filter(cut -> cut.bucket().equals(bucket.bucket()))
                        .map(cut -> new Unread(
                                bucket.bucket(), Math.min(1, (double) cut.startsPast() / bucket.queries())))));
    }

    /** The most truncated place; null if no share reaches {@value #LEAST}. */
    public static @Nullable Unread of(ContentFixed found) {
        return most(found.places().stream()
                .map(place -> new Unread(
                        "place " + place.place(),
                        Optional.ofNullable(place.unread()).orElse(0.0))));
    }

    private static @Nullable Unread most(Stream<Unread> all) {
        return all.filter(unread -> unread.share >= LEAST)
                .max(Comparator.comparingDouble(Unread::share))
                .orElse(null);
    }

    /** The truncation note of a verdict, such as {@code (33% of 80-100% truncated)}; empty if it does not apply. */
    public static String note(Enum<?> verdict, @Nullable Unread unread) {
        return unread == null || BARE.contains(verdict)
                ? ""
                : " (" + Math.round(100 * unread.share) + "% of " + unread.where + TRUNCATED;
    }
}
