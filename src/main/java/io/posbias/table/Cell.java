package io.posbias.table;

/**
 * A cell of a table in the making.
 *
 * @param text what is printed
 * @param rank the number as it is printed, turned so that more is better: equal digits are equally good; NaN for a cell
 *     that does not compete with others of its column
 * @param mark what stands out whatever the others are
 * @param sample what the number is of: it competes with the numbers of its column that are of the same only
 */
public record Cell(String text, double rank, Mark mark, String sample) {
    /** A cell that competes with all others of its column that say no more. */
    public Cell(String text, double rank, Mark mark) {
        this(text, rank, mark, "");
    }

    /** Text. */
    public static Cell word(String text) {
        return new Cell(text, Double.NaN, Mark.NONE);
    }

    /** A measure in points: more is better. */
    public static Cell points(Value figure, boolean intervals) {
        return of(NumberFormat.POINTS, 1, figure, intervals);
    }

    /** PSI: less is better. */
    public static Cell psi(Value figure, boolean intervals) {
        return of(NumberFormat.FRACTION, -1, figure, intervals);
    }

    private static Cell of(NumberFormat unit, int sign, Value figure, boolean intervals) {
        String digits = unit.print(figure.value());
        String range = intervals && figure.interval() != null ? " " + unit.print(figure.interval()) : "";
        double rank = figure.value() == null ? Double.NaN : sign * Double.parseDouble(digits);
        return new Cell(digits + (figure.thin() ? NumberFormat.THIN : "") + range, rank, Mark.NONE, figure.sample());
    }
}
