package io.posbias.report;

import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.measure.Verdict;
import io.posbias.stats.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A cell of a table in the making.
 *
 * @param text what is printed
 * @param rank the number as it is printed, turned so that more is better: equal digits are equally good; NaN for a cell
 *     that does not compete with others of its column
 * @param mark what stands out whatever the others are
 */
record Cell(String text, double rank, Mark mark) {
    /** Text. */
    static Cell word(String text) {
        return new Cell(text, Double.NaN, Mark.NONE);
    }

    /** A measure in points: more is better. */
    static Cell points(Figure figure, boolean intervals) {
        String digits = Numbers.points(figure.value());
        Interval interval = intervals ? figure.interval() : null;
        String range = interval == null ? "" : " " + Numbers.points(interval);
        return new Cell(digits + (figure.thin() ? Numbers.THIN : "") + range, rank(figure, digits, 1), Mark.NONE);
    }

    /** PSI: less is better. */
    static Cell psi(Figure figure, boolean intervals) {
        String digits = Numbers.fraction(figure.value());
        Interval interval = intervals ? figure.interval() : null;
        String range = interval == null ? "" : " " + Numbers.fraction(interval);
        return new Cell(digits + range, rank(figure, digits, -1), Mark.NONE);
    }

    private static double rank(Figure figure, String digits, int sign) {
        return figure.value() == null ? Double.NaN : sign * Double.parseDouble(digits);
    }

    /** A difference of measures in points, with its sign. */
    static Cell pointsDifference(Figure figure) {
        return word(Numbers.signedPoints(figure.value()));
    }

    /** A difference of PSI, with its sign. */
    static Cell psiDifference(Figure figure) {
        return word(Numbers.signedFraction(figure.value()));
    }

    /** The verdict on a profile, coloured on a terminal. */
    static Cell verdict(@Nullable Profile profile) {
        Direction direction = profile == null ? null : profile.direction();
        Verdict verdict = direction == null ? null : direction.verdict();
        if (verdict == null) {
            return word(Numbers.NONE);
        }
        Mark mark = switch (verdict) {
            case NONE -> Mark.SOUND;
            case UNDECIDED -> Mark.UNSURE;
            default -> Mark.BIASED;
        };
        return new Cell(verdict.toString(), Double.NaN, mark);
    }
}
