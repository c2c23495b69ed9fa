package io.posbias.table;

import io.posbias.stats.Correlation;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Columns of an output: name, meaning and format of each, from which printed tables, CSV and rows of JSON are made.
 *
 * <p>An interval is one printed cell, two cells of CSV and an array of JSON. Intervals and p-values stay beside the column
 * before them. {@link #headed}, {@link #blank} and {@link #only} change the column added last.
 */
public final class Sheet<R> {
    private static final Map<String, String> USUAL = Map.of(
            "model", "name of the model's recipe",
            "dataset", "name of the benchmark",
            "measure", "name of the measure",
            "stratum", "`all`, or the band of passage length that the queries are of");

    private final List<Column> columns;
    private final int digits;
    private int added;
    private String part = "";
    private String group = "";

    public enum In {
        /** Tables for people. */
        PRINT,
        /** CSV, in full precision. */
        CSV,
        /** Rows of JSON. */
        JSON
    }

    public Sheet() {
        this(new ArrayList<>(), Detail.USUAL.digits());
    }

    private Sheet(List<Column> columns, int digits) {
        this.columns = columns;
        this.digits = digits;
    }

    /** Returns a sheet of these columns that prints with the decimals of {@link Detail#digits}. */
    public Sheet<R> digits(int decimals) {
        return new Sheet<>(new ArrayList<>(columns), decimals);
    }

    /** Keeps the column added last beside the one before it where a table is stacked. */
    public Sheet<R> joined() {
        columns.getLast().isJoined = true;
        return this;
    }

    private final class Column {
        final String name;
        final Function<R, @Nullable Object> value;
        final @Nullable NumberFormat unit;
        final boolean isInterval;
        final String part = Sheet.this.part;
        final String group = Sheet.this.group;
        String header;
        Function<R, String> none = row -> NumberFormat.NONE;
        boolean isLabel;
        boolean isJoined;
        String meaning;
        String kind;
        Set<In> in = EnumSet.allOf(In.class);

        Column(String name, @Nullable NumberFormat unit, boolean isInterval, Function<R, @Nullable Object> value) {
            this.name = name;
            this.value = value;
            this.unit = unit;
            this.isInterval = isInterval;
            this.header = isInterval ? "interval" : name;
            this.isJoined = isInterval || unit == NumberFormat.P;
            this.meaning =
                    isInterval ? "both ends of the interval of `" + estimated() + "`" : USUAL.getOrDefault(name, "");
            this.kind = unit == null ? "text" : unit.written();
        }

        private String estimated() {
            return columns.isEmpty() || columns.stream().anyMatch(column -> column.name.equals(name))
                    ? name
                    : columns.getLast().name;
        }

        RecordCsv.Described described() {
            if (meaning.isEmpty()) {
                throw new IllegalStateException("column without a meaning: " + name);
            }
            return new RecordCsv.Described(csvNames().toList(), kind, meaning);
        }

        Cell cell(R row, int digits) {
            Object cell = value.apply(row);
            return cell instanceof Cell made ? made : Cell.word(cell == null ? none.apply(row) : print(cell, digits));
        }

        private String print(Object cell, int digits) {
            if (unit != null && cell instanceof Double number) {
                return unit.print(number, digits);
            }
            return unit != null && cell instanceof Interval interval ? unit.print(interval, digits) : cell.toString();
        }

        Stream<String> csvNames() {
            return isInterval ? Stream.of(name + "_low", name + "_high") : Stream.of(name);
        }

        Stream<String> csv(R row) {
            Object cell = value.apply(row);
            if (isInterval) {
                return cell instanceof Interval interval
                        ? Stream.of(String.valueOf(interval.low()), String.valueOf(interval.high()))
                        : Stream.of("", "");
            }
            return Stream.of(cell == null ? "" : cell instanceof Cell made ? made.text() : cell.toString());
        }
    }

    private Sheet<R> add(
            String name, @Nullable NumberFormat unit, boolean isInterval, Function<R, @Nullable Object> value) {
        added = columns.size();
        columns.add(new Column(name, unit, isInterval, value));
        return this;
    }

    /** Adds text, a whole number, or a {@link Cell} with a mark; for JSON any value. */
    public Sheet<R> plain(String name, Function<R, @Nullable Object> value) {
        return add(name, null, false, value);
    }

    /** Adds text that names the row; these columns come first and are repeated in stacked tables. */
    public Sheet<R> label(String name, Function<R, @Nullable Object> value) {
        plain(name, value);
        columns.getLast().isLabel = true;
        return this;
    }

    /** Adds a number, or a word printed for it, for example {@code <0.01}. */
    public Sheet<R> number(String name, NumberFormat unit, Function<R, ? extends @Nullable Object> value) {
        return add(name, unit, false, value::apply);
    }

    /** Adds an interval, printed under "interval". */
    public Sheet<R> interval(String name, NumberFormat unit, Function<R, @Nullable Interval> value) {
        return add(name, unit, true, value::apply);
    }

    /**
     * Adds an estimate: value, interval and p-value in tables and CSV, one object in JSON.
     *
     * @param ends name of the interval in CSV, before {@code _low} and {@code _high}
     */
    public Sheet<R> estimate(
            String name, String ends, String p, NumberFormat unit, Function<R, @Nullable Estimate> value) {
        int first = columns.size();
        number(name, unit, row -> of(value.apply(row), Estimate::value));
        interval(ends, unit, row -> of(value.apply(row), Estimate::interval));
        number(p, NumberFormat.P, row -> of(value.apply(row), Estimate::pValue))
                .means("p-value of `" + name + "` against 0");
        added = first;
        headed(name, "interval", "p").only(In.PRINT, In.CSV);
        plain(name, value::apply).only(In.JSON);
        added = first;
        return this;
    }

    /** Adds a correlation: coefficient and p-value in tables and CSV, one object in JSON. */
    public Sheet<R> correlation(String name, NumberFormat unit, Function<R, @Nullable Correlation> value) {
        int first = columns.size();
        number(name, unit, row -> of(value.apply(row), Correlation::coefficient));
        number(name + "_p_value", NumberFormat.P, row -> of(value.apply(row), Correlation::pValue))
                .means("p-value of `" + name + "` against 0");
        added = first;
        headed(name, "p").only(In.PRINT, In.CSV);
        plain(name, value::apply).only(In.JSON);
        added = first;
        return this;
    }

    private static <T, V> @Nullable V of(@Nullable T whole, Function<T, @Nullable V> field) {
        return whole == null ? null : field.apply(whole);
    }

    /** Describes the column added last, or the number of an estimate or correlation, for the reference. */
    public Sheet<R> means(String meaning) {
        columns.get(added).meaning = meaning;
        return this;
    }

    /** @param kind of values that are not text and have no {@link NumberFormat} */
    public Sheet<R> means(String meaning, String kind) {
        columns.get(added).kind = kind;
        return means(meaning);
    }

    /** Sets the headers of the columns added last. */
    public Sheet<R> headed(String... headers) {
        for (int i = 0; i < headers.length; i++) {
            columns.get(added + i).header = headers[i];
        }
        return this;
    }

    /** Prints nothing, not a dash, for a missing value. */
    public Sheet<R> blank() {
        return none(row -> "");
    }

    /** Prints a word, not a dash, for a missing value. */
    public Sheet<R> none(Function<R, String> word) {
        columns.subList(added, columns.size()).forEach(column -> column.none = word);
        return this;
    }

    /** Restricts the columns added last to some outputs. */
    public Sheet<R> only(In first, In... rest) {
        columns.subList(added, columns.size()).forEach(column -> column.in = EnumSet.of(first, rest));
        return this;
    }

    /** Prints the columns that follow in one of several tables only; empty for all. */
    public Sheet<R> part(String name) {
        this.part = name;
        return this;
    }

    /** Prints the columns that follow under a heading; empty for none. */
    public Sheet<R> under(String heading) {
        this.group = heading;
        return this;
    }

    /** Prints rows as a table. */
    public Table table(String title, List<R> rows, List<String> notes) {
        return table("", title, rows, notes);
    }

    /** Prints rows as one of several tables. */
    public Table table(String name, String title, List<R> rows, List<String> notes) {
        return tableOf(name, title, rows.stream().map(row -> print(name, row)).toList(), notes);
    }

    public Table tableOf(String name, String title, List<Table.Row> rows, List<String> notes) {
        List<Column> own = printed(name);
        List<Table.Group> groups = new ArrayList<>();
        for (Column column : own) {
            boolean same = !groups.isEmpty() && groups.getLast().name().equals(column.group);
            int span = same ? groups.removeLast().span() : 0;
            groups.add(new Table.Group(column.group, span + 1));
        }
        boolean isGrouped = groups.stream().anyMatch(each -> !each.name().isEmpty());
        return new Table(
                title,
                isGrouped ? groups : List.of(),
                own.stream().map(column -> column.header).toList(),
                rows,
                notes,
                Math.max(1, (int)
                        own.stream().takeWhile(column -> column.isLabel).count()),
                IntStream.range(0, own.size())
                        .filter(column -> own.get(column).isJoined)
                        .boxed()
                        .collect(Collectors.toSet()));
    }

    /** Prints a row of one of several tables. */
    public Table.Row print(String name, R row) {
        return Table.Row.of(cells(name, row));
    }

    /** Returns the cells of a row of one of several tables, for a {@link Grid} that marks the best. */
    public List<Cell> cells(String name, R row) {
        return printed(name).stream().map(column -> column.cell(row, digits)).toList();
    }

    private List<Column> printed(String name) {
        return columns.stream()
                .filter(column -> column.in.contains(In.PRINT))
                .filter(column -> column.part.isEmpty() || column.part.equals(name))
                .toList();
    }

    /** Returns the rows of CSV: numbers in full precision, empty if missing. */
    public Table raw(List<R> rows) {
        List<Column> own =
                columns.stream().filter(column -> column.in.contains(In.CSV)).toList();
        return new Table(
                "",
                List.of(),
                own.stream().flatMap(Column::csvNames).toList(),
                rows.stream()
                        .map(row -> new Table.Row(
                                own.stream().flatMap(column -> column.csv(row)).toList()))
                        .toList(),
                List.of());
    }

    /**
     * Describes the columns of {@link #raw} for the reference.
     *
     * @throws IllegalStateException if one has no meaning
     */
    public List<RecordCsv.Described> described() {
        return columns.stream()
                .filter(column -> column.in.contains(In.CSV))
                .map(Column::described)
                .toList();
    }

    /** Returns the functions of values by column name. */
    public Map<String, Function<R, @Nullable Object>> values() {
        Map<String, Function<R, @Nullable Object>> values = new LinkedHashMap<>();
        columns.forEach(column -> values.put(column.name, column.value));
        return values;
    }

    /** Returns rows of JSON by column name; null if missing. */
    public List<Map<String, @Nullable Object>> records(List<R> rows) {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        for (R row : rows) {
            Map<String, @Nullable Object> record = new LinkedHashMap<>();
            columns.stream()
                    .filter(column -> column.in.contains(In.JSON))
                    .forEach(column -> record.put(column.name, column.value.apply(row)));
            records.add(record);
        }
        return records;
    }
}
