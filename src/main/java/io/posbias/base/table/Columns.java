package io.posbias.base.table;

import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments.Mean;
import io.posbias.base.stats.Tested;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a printed table, in order. Intervals and p-values stay beside the column before them where a table is
 * stacked. A missing value is a dash; a function may give a word or a {@link Cell} instead of a number.
 */
public final class Columns<R> {
    private final List<Column<R>> columns = new ArrayList<>();
    private final int digits;
    private String group = "";

    /** Prints with {@link Detail#USUAL}. */
    public Columns() {
        this(Detail.USUAL.digits());
    }

    /** @param digits decimals, see {@link Detail#digits} */
    public Columns(int digits) {
        this.digits = digits;
    }

    private record Column<R>(
            String group,
            String header,
            boolean isLabel,
            boolean isJoined,
            @Nullable NumberFormat unit,
            Function<R, @Nullable Object> value) {
        Cell cell(R row, int digits) {
            Object cell = value.apply(row);
            return cell instanceof Cell made ? made : Cell.word(print(cell, digits));
        }

        private String print(@Nullable Object cell, int digits) {
            if (cell == null) {
                return NumberFormat.NONE;
            }
            if (unit != null && cell instanceof Double number) {
                return unit.print(number, digits);
            }
            return unit != null && cell instanceof Interval interval ? unit.print(interval, digits) : cell.toString();
        }
    }

    private Columns<R> add(
            String header, boolean label, boolean joined, @Nullable NumberFormat unit, Function<R, ?> value) {
        columns.add(new Column<>(group, header, label, joined, unit, value::apply));
        return this;
    }

    /** Prints the columns that follow under a heading; empty for none. */
    public Columns<R> under(String heading) {
        this.group = heading;
        return this;
    }

    /** Adds more columns if a condition holds. */
    public Columns<R> when(boolean condition, Function<Columns<R>, Columns<R>> more) {
        return condition ? more.apply(this) : this;
    }

    /** Adds text that names the row; these columns come first and are repeated in stacked tables. */
    public Columns<R> label(String header, Function<R, ? extends @Nullable Object> value) {
        return add(header, true, false, null, value);
    }

    /** Adds text, a whole number, or a {@link Cell}. */
    public Columns<R> text(String header, Function<R, ? extends @Nullable Object> value) {
        return add(header, false, false, null, value);
    }

    /** Adds text that stays beside the column before it. */
    public Columns<R> joined(String header, Function<R, ? extends @Nullable Object> value) {
        return add(header, false, true, null, value);
    }

    public Columns<R> number(String header, NumberFormat unit, Function<R, ? extends @Nullable Object> value) {
        return add(header, false, unit == NumberFormat.P, unit, value);
    }

    public Columns<R> interval(NumberFormat unit, Function<R, ? extends @Nullable Object> value) {
        return add("interval", false, true, unit, value);
    }

    /** Adds a mean and its interval. */
    public Columns<R> mean(String header, NumberFormat unit, Function<R, @Nullable Mean> value) {
        return part(value, new Columns<Mean>().number(header, unit, Mean::mean).interval(unit, Mean::interval));
    }

    /** Adds an estimate: value, interval and p-value. */
    public Columns<R> estimate(String header, NumberFormat unit, Function<R, @Nullable Estimate> value) {
        return tested(header, unit, row -> Tested.of(value.apply(row)));
    }

    /** Adds a number with its interval and p-value. */
    public Columns<R> tested(String header, NumberFormat unit, Function<R, @Nullable Tested> value) {
        return part(
                value,
                new Columns<Tested>()
                        .number(header, unit, Tested::value)
                        .interval(unit, Tested::interval)
                        .number("p", NumberFormat.P, Tested::pValue));
    }

    /** Adds columns of a part of the row, under this heading unless they have their own; dashes where it is null. */
    public <P> Columns<R> part(Function<R, @Nullable P> part, Columns<P> of) {
        for (Column<P> column : of.columns) {
            columns.add(new Column<>(
                    column.group.isEmpty() ? group : column.group,
                    column.header,
                    column.isLabel,
                    column.isJoined,
                    column.unit,
                    row -> {
                        P own = part.apply(row);
                        return own == null ? null : column.value.apply(own);
                    }));
        }
        return this;
    }

    public Columns<R> correlation(String header, NumberFormat unit, Function<R, @Nullable Correlation> value) {
        return part(
                value,
                new Columns<Correlation>()
                        .number(header, unit, Correlation::coefficient)
                        .number("p", NumberFormat.P, Correlation::pValue));
    }

    /** Prints rows as a table. */
    public Table table(String title, List<R> rows, List<String> notes) {
        return tableOf(title, rows.stream().map(this::row).toList(), notes);
    }

    /** Prints rows that were made of {@link #cells}, as a {@link Grid} does, or by {@link #row}. */
    public Table tableOf(String title, List<Table.Row> rows, List<String> notes) {
        List<Table.Group> groups = new ArrayList<>();
        for (Column<R> column : columns) {
            boolean same = !groups.isEmpty() && groups.getLast().name().equals(column.group);
            int span = same ? groups.removeLast().span() : 0;
            groups.add(new Table.Group(column.group, span + 1));
        }
        boolean isGrouped = groups.stream().anyMatch(each -> !each.name().isEmpty());
        return new Table(
                title,
                isGrouped ? groups : List.of(),
                columns.stream().map(Column::header).toList(),
                rows,
                notes,
                Math.max(1, (int) columns.stream().takeWhile(Column::isLabel).count()),
                IntStream.range(0, columns.size())
                        .filter(column -> columns.get(column).isJoined)
                        .boxed()
                        .collect(Collectors.toSet()));
    }

    public Table.Row row(R row) {
        return Table.Row.of(cells(row));
    }

    public List<Cell> cells(R row) {
        return columns.stream().map(column -> column.cell(row, digits)).toList();
    }
}
