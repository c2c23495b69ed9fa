package io.posbias.table;

import io.posbias.stats.Interval;

/**
 * A cell of a table in the making.
 *
 * @param text what is printed
 * @param rank the number as it is printed, turned so that more is better: equal digits are equally good; NaN for a cell
 *     that does not compete with others of its column
 * @param mark what stands out whatever the others are
 */
public record Cell(String text, double rank, Mark mark) {
    /** Text. */
    public static Cell word(String text) {
        return new Cell(text, Double.NaN, Mark.NONE);
    }

    /** A measure in points: more is better. */
    public static Cell points(Value figure, boolean intervals) {
        String digits = Unit.POINTS.print(figure.value());
        Interval interval = intervals ? figure.interval() : null;
        String range = interval == null ? "" : " " + Unit.POINTS.print(interval);
        return new Cell(digits + (figure.thin() ? Unit.THIN : "") + range, rank(figure, digits, 1), Mark.NONE);
    }

    /** PSI: less is better. */
    public static Cell psi(Value figure, boolean intervals) {
        String digits = Unit.FRACTION.print(figure.value());
        Interval interval = intervals ? figure.interval() : null;
        String range = interval == null ? "" : " " + Unit.FRACTION.print(interval);
        return new Cell(digits + range, rank(figure, digits, -1), Mark.NONE);
    }

    private static double rank(Value figure, String digits, int sign) {
        return figure.value() == null ? Double.NaN : sign * Double.parseDouble(digits);
    }

    /** A difference of measures in points, with its sign. */
    public static Cell pointsDifference(Value figure) {
        return word(Unit.SIGNED_POINTS.print(figure.value()));
    }

    /** A difference of PSI, with its sign. */
    public static Cell psiDifference(Value figure) {
        return word(Unit.SIGNED_FRACTION.print(figure.value()));
    }
}
