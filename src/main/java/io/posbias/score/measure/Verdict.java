package io.posbias.score.measure;

import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of a profile, by the first cause that explains it: too few or too easy questions, evidence that is never read, the
 * evidence's position, the content of the questions; without a cause, that it finds evidence evenly or that the question is open.
 * {@link ProfileOutcome} and {@link Bias} are the tests behind it.
 */
public enum Verdict {
    /** {@linkplain io.posbias.base.stats.Clusters#areFew Too few} clusters. */
    TOO_FEW,
    /** All buckets, or places, score at least {@value #EASY}. */
    TOO_EASY,
    /** All buckets, or places, score at most {@value #HARD}. */
    TOO_HARD,
    /** Evidence that the model does not read {@linkplain Unread#explains explains} lower scores. */
    UNREAD,
    /** Scores of the same evidence differ between front and back. */
    POSITION,
    /** The questions at some positions are harder, for a position-blind model or where the same evidence loses nothing. */
    CONTENT,
    /** No difference beyond noise, and one would have been found. */
    EVEN,
    OPEN;

    private static final double EASY = 0.99;
    private static final double HARD = 0.01;

    /**
     * The verdict of a profile.
     *
     * @param isBlind true for a position-blind model
     * @return null without draws or evidence positions
     */
    static @Nullable Verdict of(Profile profile, boolean isBlind) {
        ContentFixed moved = profile.contentFixed();
        ProfileOutcome observed =
                profile.direction() == null ? null : profile.direction().outcome();
        if (moved == null && observed == null) {
            return null;
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
            return early;
        }
        // A direction among queries whose evidence is read at all places is no matter of reading.
        boolean isApart = moved != null && moved.read() != null && of(moved) == POSITION;
        if (profile.unread() != null && profile.unread().explains() && !isApart) {
            return UNREAD;
        }
        boolean differs = observed == ProfileOutcome.DIFFER;
        if (moved != null) {
            Verdict found = of(moved);
            return differs && (found == EVEN || (isBlind && found == OPEN)) ? CONTENT : found;
        }
        return differs ? isBlind ? CONTENT : OPEN : observed == ProfileOutcome.NONE ? EVEN : OPEN;
    }

    /** The verdict of the same evidence at several places alone. */
    public static Verdict of(ContentFixed moved) {
        Verdict early = early(moved);
        return early != null
                ? early
                : switch (moved.outcome()) {
                    case TRUNCATION -> UNREAD;
                    case PRIMACY, RECENCY -> POSITION;
                    case NONE -> EVEN;
                    case UNDECIDED, TOO_FEW -> OPEN;
                };
    }

    private static @Nullable Verdict early(ContentFixed moved) {
        return early(
                moved.outcome() == Bias.TOO_FEW,
                moved.places().stream().mapToDouble(ContentFixed.Place::mean).summaryStatistics());
    }

    private static @Nullable Verdict early(boolean isFew, DoubleSummaryStatistics means) {
        return isFew
                ? TOO_FEW
                : means.getCount() == 0
                        ? null
                        : means.getMin() >= EASY ? TOO_EASY : means.getMax() <= HARD ? TOO_HARD : null;
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
