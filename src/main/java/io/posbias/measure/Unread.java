package io.posbias.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a model read least of the evidence: what a verdict says there may be truncation alone.
 *
 * @param where a position bucket, or a place of content held fixed
 * @param share of its queries, those whose evidence begins past the model's limit of tokens; {@value #LEAST} to 1
 */
public record Unread(String where, double share) {
    /** A smaller share of a bucket changes its mean by fewer points than its interval is wide. */
    public static final double LEAST = 0.05;

    /** How a verdict ends that is qualified. */
    public static final String TRUNCATED = " truncated)";

    /** What such an ending says, for below a table. */
    public static final String MEANING =
            "truncated: the model did not read the evidence of so many queries of the bucket, which alone may make the difference";

    /** Verdicts that name no difference, and the one that names truncation itself. */
    private static final Set<Enum<?>> BARE = Set.of(
            Verdict.NONE, Verdict.UNDECIDED, Verdict.TOO_FEW, Bias.NONE, Bias.UNDECIDED, Bias.TOO_FEW, Bias.TRUNCATION);

    /**
     * The bucket with the largest share, over all models that read texts.
     *
     * @param truncations by position bucket, over all queries
     * @param buckets of a profile over all queries
     * @return null where no bucket's share is {@value #LEAST}, and where it is not known for these buckets
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

    /** The place with the largest share; null likewise. */
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

    /** The note behind a verdict that positions matter, such as {@code (33% of 80-100% truncated)}; else empty. */
    public static String note(Enum<?> verdict, @Nullable Unread unread) {
        return unread == null || BARE.contains(verdict)
                ? ""
                : " (" + Math.round(100 * unread.share) + "% of " + unread.where + TRUNCATED;
    }
}
