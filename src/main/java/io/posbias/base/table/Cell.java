package io.posbias.base.table;

/**
 * A cell of a table.
 *
 * @param rank printed number, signed so that more is better; NaN for a cell that does not compete in its column
 * @param mark emphasis, whatever the other cells are
 * @param sample the queries behind the number; only numbers of equal samples compete
 */
public record Cell(String text, double rank, Mark mark, String sample) {
    public Cell(String text, double rank, Mark mark) {
        this(text, rank, mark, "");
    }

    public static Cell word(String text) {
        return new Cell(text, Double.NaN, Mark.NONE);
    }

    /** The cell with a mark behind its text. */
    public Cell marked(String sign) {
        return new Cell(text + sign, rank, mark, sample);
    }

    /** A measure in points; higher is better. */
    public static Cell points(Value figure, boolean intervals, int digits) {
        return of(NumberFormat.POINTS, 1, figure, intervals, digits);
    }

    /** PSI; lower is better. */
    public static Cell psi(Value figure, boolean intervals, int digits) {
        return of(NumberFormat.FRACTION, -1, figure, intervals, digits);
    }

    /** A loss in percent; lower is better. */
    public static Cell loss(Value figure, int digits) {
        return of(NumberFormat.PERCENT, -1, figure, false, digits);
    }

    private static Cell of(NumberFormat unit, int sign, Value figure, boolean intervals, int digits) {
        String number = unit.print(figure.value(), digits);
        String range = intervals && figure.interval() != null ? " " + unit.print(figure.interval(), digits) : "";
        double rank = figure.value() == null ? Double.NaN : sign * Double.parseDouble(number.replace("%", ""));
        return new Cell(number + (figure.thin() ? NumberFormat.THIN : "") + range, rank, Mark.NONE, figure.sample());
    }
}
