package io.posbias.score.measure;

import io.posbias.base.table.Cell;
import io.posbias.base.table.Mark;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
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

    /**
     * The verdict that goes before all causes; null if there are enough questions, some easy and some hard.
     *
     * @param means of the buckets or places
     */
    static @Nullable Verdict early(boolean isFew, DoubleSummaryStatistics means) {
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

    /** The verdicts, coloured on a terminal. */
    public static Cell cell(List<Verdict> verdicts) {
        Verdict first = verdicts.getFirst();
        Mark mark = first.isSound() ? Mark.SOUND : first.isUnsure() ? Mark.UNSURE : Mark.BIASED;
        return new Cell(words(verdicts), Double.NaN, mark);
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
