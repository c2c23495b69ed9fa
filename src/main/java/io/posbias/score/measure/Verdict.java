package io.posbias.score.measure;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of a profile, by the first cause that explains it: too few, too easy or too hard questions; the named {@linkplain
 * LossParts parts} of the loss with the same evidence, of which there may be two; where they cannot be told apart, evidence that
 * is not read, beside a position-blind model; the content of the questions; without a cause, that evidence is found evenly or that
 * the question is open. {@link ProfileOutcome} and {@link Bias} are tests behind it.
 */
public enum Verdict {
    /** {@linkplain io.posbias.base.stats.Clusters#areFew Too few} clusters. */
    TOO_FEW,
    /** All buckets, or places, score at least {@value #EASY}. */
    TOO_EASY,
    /** All buckets, or places, score at most {@value #HARD}. */
    TOO_HARD,
    /** Evidence that the model does not read costs it points. */
    UNREAD,
    /** Scores of the same evidence differ between front and back where it is read. */
    POSITION,
    /** The questions at some positions are harder, for a position-blind model or where the same evidence loses nothing. */
    CONTENT,
    /** Any loss is within the equivalence bounds; without moved evidence, no difference beyond noise, which is small. */
    EVEN,
    OPEN;

    private static final double EASY = 0.99;
    private static final double HARD = 0.01;

    /** Least mean of a bucket of easy questions. */
    private static final double FOUND = 0.9;

    /**
     * The verdicts of a profile: one, or both {@link #UNREAD} and {@link #POSITION}, the larger first.
     *
     * @param isBlind true for a position-blind model
     * @param beside the loss where evidence is not read beyond that of a blind model; null without one
     * @return empty without draws or evidence positions
     */
    public static List<Verdict> of(Profile profile, boolean isBlind, @Nullable UnreadContrast beside) {
        ContentFixed moved = profile.contentFixed();
        ProfileOutcome observed =
                profile.direction() == null ? null : profile.direction().outcome();
        if (moved == null && observed == null) {
            return List.of();
        }
        Verdict early = moved == null
                ? early(
                        observed == ProfileOutcome.TOO_FEW,
                        profile.buckets().stream()
                                .map(BucketMean::mean)
                                .filter(Objects::nonNull)
                                .mapToDouble(Double::doubleValue)
                                .summaryStatistics())
                : early(moved);
        if (early != null) {
            return List.of(early);
        }
        List<Verdict> causes = moved == null ? List.of() : moved.causes();
        if (!causes.isEmpty()) {
            return causes;
        }
        if (beside != null && beside.isLoss() && (moved == null || !moved.isTold())) {
            return List.of(UNREAD);
        }
        boolean isEven = moved == null ? observed == ProfileOutcome.NONE : moved.isEven();
        boolean isContent = observed == ProfileOutcome.DIFFER && (isBlind || (moved != null && isEven));
        return List.of(isContent ? CONTENT : isEven ? EVEN : OPEN);
    }

    /** The verdicts of the same evidence at several places alone. */
    public static List<Verdict> of(ContentFixed moved) {
        Verdict early = early(moved);
        List<Verdict> causes = moved.causes();
        return early != null ? List.of(early) : causes.isEmpty() ? List.of(moved.isEven() ? EVEN : OPEN) : causes;
    }

    /** A benchmark with a bucket whose questions are not found is not easy, though the others are found at all places. */
    private static @Nullable Verdict early(ContentFixed moved) {
        Verdict early = early(
                moved.outcome() == Bias.TOO_FEW,
                moved.places().stream().mapToDouble(ContentFixed.Place::mean).summaryStatistics());
        boolean isHard =
                moved.buckets().stream().anyMatch(bucket -> bucket.observed() != null && bucket.observed() < FOUND);
        return early == TOO_EASY && isHard ? null : early;
    }

    private static @Nullable Verdict early(boolean isFew, DoubleSummaryStatistics means) {
        return isFew
                ? TOO_FEW
                : means.getCount() == 0
                        ? null
                        : means.getMin() >= EASY ? TOO_EASY : means.getMax() <= HARD ? TOO_HARD : null;
    }

    /** Returns verdicts as words: {@code unread, position}. */
    public static String words(List<Verdict> verdicts) {
        return verdicts.stream().map(Verdict::toString).collect(Collectors.joining(", "));
    }

    /** Returns true if nothing can be said, for want of queries or because they are too easy or hard. */
    public boolean isUnsure() {
        return this == TOO_FEW || this == TOO_EASY || this == TOO_HARD || this == OPEN;
    }

    /** Returns true if differences, if any, are not due to the model. */
    public boolean isSound() {
        return this == EVEN || this == CONTENT;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
