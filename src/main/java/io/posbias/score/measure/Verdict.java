package io.posbias.score.measure;

import io.posbias.base.stats.Clusters;
import io.posbias.base.table.Cell;
import io.posbias.base.table.Mark;
import io.posbias.base.table.NumberFormat;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of a profile, by the first cause that explains it: too few, too easy or too hard questions; the named {@linkplain
 * LossParts parts} of the loss with the same evidence, of which there may be two; where they cannot be told apart, evidence that
 * is not read, beside a position-blind model; the content of the questions; without a cause, that evidence is found evenly or that
 * the question is open. {@link TestOutcome} has those of the tests behind it.
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

    /**
     * Defines the verdict with its thresholds, for notes below tables, pages and docs.
     *
     * @param equivalence bound of the loss, as a fraction
     */
    public String meaning(double confidence, double equivalence) {
        String level = print(1 - confidence);
        String bounds = NumberFormat.percent(equivalence);
        return switch (this) {
            case TOO_FEW ->
                "fewer than " + Clusters.FEW + " clusters of queries, or " + Clusters.FEW_EFFECTIVE
                        + " effective ones: no conclusion";
            case TOO_EASY -> "all positions score at least " + EASY + ": no conclusion";
            case TOO_HARD -> "all positions score at most " + HARD + ": no conclusion";
            case UNREAD -> "evidence that the model does not read loses points, beyond noise and " + bounds;
            case POSITION ->
                "where it is read, the same evidence scores otherwise at the back than at the front, beyond noise (p below "
                        + level + ") and " + bounds;
            case CONTENT ->
                "positions differ (p of PSI below " + level + ", or of the slope below "
                        + print((1 - confidence) / TestOutcome.SLOPE_PART)
                        + ") because the questions do: the same evidence is even, or the model sees no positions";
            case EVEN ->
                "the interval of the loss with the same evidence is within " + bounds
                        + " of 0; if it was not moved, no difference between positions beyond noise (p of PSI and of the"
                        + " slope at least " + level + ", noise95 at most " + print(TestOutcome.SEEN) + ")";
            case OPEN ->
                "none of these: the cause of a difference is unknown (eval --content-fixed), or more queries are needed"
                        + " (posbias plan)";
        };
    }

    /** Returns lines that define the verdicts, each once. */
    public static List<String> definitions(Stream<Verdict> verdicts, double confidence, double equivalence) {
        return verdicts.sorted()
                .distinct()
                .map(verdict -> verdict + ": " + verdict.meaning(confidence, equivalence))
                .toList();
    }

    private static String print(double number) {
        String plain = BigDecimal.valueOf(number)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
        return plain.matches("0\\.\\d") ? plain + "0" : plain;
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
