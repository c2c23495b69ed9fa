package io.posbias.base.table;

import org.jspecify.annotations.Nullable;

/**
 * A cell of a table.
 *
 * @param rank printed number, signed so that more is better; NaN for a cell that does not compete in its column
 * @param mark emphasis, whatever the other cells are
 * @param sample the queries behind the number; only numbers of equal samples compete
 * @param standing null for a number without tests
 */
public record Cell(
        String text,
        double rank,
        Mark mark,
        String sample,
        @Nullable Standing standing) {
    public Cell(String text, double rank, Mark mark) {
        this(text, rank, mark, "", null);
    }

    public static Cell word(String text) {
        return new Cell(text, Double.NaN, Mark.NONE);
    }

    public Cell marked(String sign) {
        return new Cell(text + sign, rank, mark, sample, standing);
    }

    /** A measure in points; higher is better. */
    public static Cell points(Value figure, boolean intervals, int digits) {
        return of(NumberFormat.POINTS, figure, intervals, digits);
    }

    /** PSI; lower is better. */
    public static Cell psi(Value figure, boolean intervals, int digits) {
        return of(NumberFormat.FRACTION, figure, intervals, digits);
    }

    /** A number: higher is better for points, lower for PSI, a fraction, and for a loss in percent. */
    public static Cell of(NumberFormat unit, Value figure, boolean intervals, int digits) {
        int sign = unit == NumberFormat.POINTS ? 1 : -1;
        String number = unit.print(figure.value(), digits);
        String range = intervals && figure.interval() != null ? " " + unit.print(figure.interval(), digits) : "";
        double rank = figure.value() == null ? Double.NaN : sign * Double.parseDouble(number.replace("%", ""));
        return new Cell(
                number + (figure.thin() ? NumberFormat.THIN : "") + range, rank, Mark.NONE, figure.sample(), null);
    }

    /** Adds the outcome of tests. */
    public Cell with(Standing tested) {
        return new Cell(text, rank, mark, sample, tested);
    }
}
