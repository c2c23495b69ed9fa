package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.stats.Estimate;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The loss at the back, front - back with the same evidence, in parts that add up: by position, from places where the evidence is
 * read whole; by not reading, as far as scores at the other places are lower than position explains; and a remainder at places
 * where too few questions are read whole. In points. Estimated by {@link LossPartsFit}.
 *
 * @param basis questions and places behind the parts
 * @param front mean score of the front places, of which percentages are
 * @param position up to the last place of the basis; null if the front is not read
 * @param notReading null if all is read, or if it cannot be told apart
 * @param guarded the part by not reading if position may cost more, or less, in passages that are cut; null without that part
 * @param remainder null without such places; without a part by not reading, position and not reading together
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LossParts(
        Basis basis,
        double front,
        Estimate loss,
        @Nullable Part position,
        @Nullable Part notReading,
        @Nullable Estimate guarded,
        @Nullable Estimate remainder) {
    /** Least clusters of the questions of a side of a comparison. */
    static final int CLUSTERS = 10;

    /** Least G* of a side, and of a part that is named. */
    static final double EFFECTIVE = 5;

    /**
     * Questions and places.
     *
     * @param questions in the fits
     * @param unknown questions left out because it is unknown what is read of them
     * @param nowhere questions left out because their evidence is read whole at no place
     * @param lastPlace last place, from 1, where enough questions are read whole
     * @param cutClusters clusters of the questions that are not read whole at a place of the back where others are
     * @param unreadShare share of the evidence at these places that is not read whole, less that at the front
     */
    public record Basis(int questions, int unknown, int nowhere, int lastPlace, int cutClusters, double unreadShare) {}

    /**
     * A part.
     *
     * @param effectiveClusters G* of its estimate
     */
    public record Part(Estimate points, double effectiveClusters) {}

    /**
     * Returns the parts whose interval excludes 0 and is not within the bounds, the larger first: {@link Verdict#POSITION} of
     * either sign, and {@link Verdict#UNREAD} if the guarded part is above 0, too.
     *
     * @param equivalence bound, as a fraction of the front
     */
    List<Verdict> named(double equivalence) {
        boolean isPosition = isNamed(position, equivalence);
        if (!isReadingLoss(equivalence) || guarded == null || guarded.interval().low() <= 0) {
            return isPosition ? List.of(Verdict.POSITION) : List.of();
        }
        return !isPosition
                ? List.of(Verdict.UNREAD)
                : size(notReading) >= size(position)
                        ? List.of(Verdict.UNREAD, Verdict.POSITION)
                        : List.of(Verdict.POSITION, Verdict.UNREAD);
    }

    /** True if not reading costs something unless longer passages differ by position. */
    public boolean isUntold(double equivalence) {
        return isReadingLoss(equivalence) && !named(equivalence).contains(Verdict.UNREAD);
    }

    private boolean isReadingLoss(double equivalence) {
        return notReading != null
                && isTested()
                && notReading.points.interval().low() > 0
                && isNamed(notReading, equivalence);
    }

    /** True if position and not reading are told apart, with a test of both. */
    boolean isTold() {
        return position != null && isTested();
    }

    /** True if enough passages are cut, and enough are not, to test the part by not reading. */
    public boolean isTested() {
        return notReading != null && basis.cutClusters >= CLUSTERS && notReading.effectiveClusters >= EFFECTIVE;
    }

    private boolean isNamed(@Nullable Part part, double equivalence) {
        return part != null
                && part.effectiveClusters >= EFFECTIVE
                && !part.points.interval().holds(0)
                && !isWithin(part.points, equivalence);
    }

    private static double size(@Nullable Part part) {
        return part == null ? 0 : Math.abs(part.points.value());
    }

    /** True if loss, position and remainder are each within the bounds. */
    public boolean isEven(double equivalence) {
        return Stream.of(loss, position == null ? loss : position.points, remainder == null ? loss : remainder)
                .allMatch(part -> isWithin(part, equivalence));
    }

    private boolean isWithin(Estimate points, double equivalence) {
        double bound = equivalence * front;
        return -bound <= points.interval().low() && points.interval().high() <= bound;
    }

    /** Returns what not reading an answer whole costs, in points; null without the part, or if nothing is unread. */
    public @Nullable Estimate perUnread() {
        return notReading == null || basis.unreadShare <= 0 ? null : notReading.points.times(1 / basis.unreadShare);
    }

    /** Returns a number of points as a share of the front, which is taken as fixed. */
    public Estimate share(Estimate points) {
        return points.times(1 / front);
    }
}
