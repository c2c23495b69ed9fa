package io.posbias.table;

import io.posbias.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table as a record: what renderers turn into text.
 *
 * @param title one line above it
 * @param groups headings over several columns each, whose spans add up to the number of columns; empty for none
 * @param header the names of the columns; the first holds row names
 * @param rows the rows
 * @param notes lines below it
 * @param labels how many columns, from the first on, name the row: where columns are stacked they are repeated
 * @param joined columns that say nothing without the one before, as its interval: they are never apart from it
 */
public record Table(
        String title,
        List<Group> groups,
        List<String> header,
        List<Row> rows,
        List<String> notes,
        int labels,
        Set<Integer> joined) {
    /** Copies the lists, and adds empty cells to short rows. */
    public Table {
        groups = List.copyOf(groups);
        header = List.copyOf(header);
        int width = header.size();
        rows = rows.stream()
                .map(row -> row.isHeading() ? row : row.padded(width))
                .toList();
        notes = List.copyOf(notes);
        joined = Set.copyOf(joined);
    }

    /** A table whose first column alone names the row. */
    public Table(String title, List<Group> groups, List<String> header, List<Row> rows, List<String> notes) {
        this(title, groups, header, rows, notes, 1, Set.of());
    }

    /** The table with other rows. */
    public Table with(List<Row> others) {
        return new Table(title, groups, header, others, notes, labels, joined);
    }

    /** The table with more notes, below its own. */
    public Table noted(List<String> more) {
        return new Table(
                title,
                groups,
                header,
                rows,
                Stream.concat(notes.stream(), more.stream()).toList(),
                labels,
                joined);
    }

    /** Some columns of the table, the first {@link #labels} among them, as they print beside each other. */
    Table select(List<Integer> columns) {
        List<Group> own = new ArrayList<>();
        int before = -1;
        for (int column : columns) {
            int group = groupOf(column);
            if (group >= 0) {
                int span = group == before ? own.removeLast().span() : 0;
                own.add(new Group(groups.get(group).name(), span + 1));
                before = group;
            }
        }
        boolean isGrouped = own.stream().anyMatch(group -> !group.name().isEmpty());
        return new Table(
                title,
                isGrouped ? own : List.of(),
                columns.stream().map(header::get).toList(),
                rows.stream().map(row -> row.select(columns)).toList(),
                notes,
                labels,
                Set.of());
    }

    /** Which group a column is of; -1 in a table without groups. */
    int groupOf(int column) {
        int end = 0;
        for (int group = 0; group < groups.size(); group++) {
            end += groups.get(group).span();
            if (column < end) {
                return group;
            }
        }
        return -1;
    }

    /** The table without the rows that have no value, as one of several parts, of which the last has the notes. */
    Table part(boolean isFirst, boolean isLast) {
        List<Row> own = new ArrayList<>();
        for (Row row : rows) {
            if (row.isHeading() && !own.isEmpty() && own.getLast().isHeading()) {
                own.removeLast();
            }
            if (row.isHeading()
                    || row.cells().stream()
                            .skip(labels)
                            .anyMatch(cell -> !cell.isEmpty() && !cell.equals(NumberFormat.NONE))) {
                own.add(row);
            }
        }
        if (!own.isEmpty() && own.getLast().isHeading()) {
            own.removeLast();
        }
        return new Table(isFirst ? title : "", groups, header, own, isLast ? notes : List.of(), labels, Set.of());
    }

    /** The table as it may be shown, whatever its names and texts hold: {@link Printable#of} each. */
    Table printable() {
        return new Table(
                Printable.of(title),
                groups.stream()
                        .map(group -> new Group(Printable.of(group.name()), group.span()))
                        .toList(),
                printable(header),
                rows.stream()
                        .map(row -> new Row(printable(row.cells()), row.marks(), row.curve()))
                        .toList(),
                printable(notes),
                labels,
                joined);
    }

    private static List<String> printable(List<String> texts) {
        return texts.stream().map(Printable::of).toList();
    }

    /** The header with its group's name before each column's. */
    List<String> flatHeader() {
        List<String> flat = new ArrayList<>();
        for (Group group : groups) {
            for (int i = 0; i < group.span(); i++) {
                String column = header.get(flat.size());
                flat.add(group.name().isEmpty() ? column : group.name() + " " + column);
            }
        }
        return flat.isEmpty() ? header : flat;
    }

    /**
     * A heading over several columns.
     *
     * @param name may be empty
     * @param span how many columns it covers
     */
    public record Group(String name, int span) {}

    /**
     * A row.
     *
     * @param cells as many as the header has, or one alone for a heading between rows
     * @param marks what stands out, as many as there are cells; empty when nothing does
     * @param curve the means of the position buckets, null for a bucket without queries, for formats that draw them in
     *     a line of text; empty for none
     */
    public record Row(List<String> cells, List<Mark> marks, List<@Nullable Double> curve) {
        /** Copies the lists. */
        public Row {
            cells = List.copyOf(cells);
            marks = List.copyOf(marks);
            curve = Collections.unmodifiableList(new ArrayList<>(curve));
        }

        /** A row in which nothing stands out. */
        public Row(List<String> cells) {
            this(cells, List.of(), List.of());
        }

        static Row of(List<Cell> cells, List<@Nullable Double> curve) {
            return new Row(
                    cells.stream().map(Cell::text).toList(),
                    cells.stream().map(Cell::mark).toList(),
                    curve);
        }

        /** The mark of a cell. */
        public Mark mark(int column) {
            return column < marks.size() ? marks.get(column) : Mark.NONE;
        }

        /** The cells as a format shows them. */
        List<String> styled(BiFunction<Mark, String, String> style) {
            return IntStream.range(0, cells.size())
                    .mapToObj(column -> style.apply(mark(column), cells.get(column)))
                    .toList();
        }

        private Row select(List<Integer> columns) {
            return isHeading()
                    ? this
                    : new Row(
                            columns.stream().map(cells::get).toList(),
                            columns.stream().map(this::mark).toList(),
                            curve);
        }

        /** Whether this is a heading between rows. */
        public boolean isHeading() {
            return cells.size() == 1;
        }

        /** The row with empty cells added up to a width. */
        public Row padded(int width) {
            if (cells.size() >= width) {
                return this;
            }
            List<String> padded = new ArrayList<>(cells);
            padded.addAll(Collections.nCopies(width - cells.size(), ""));
            return new Row(padded, marks, curve);
        }
    }
}
