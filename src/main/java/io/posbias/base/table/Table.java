package io.posbias.base.table;

import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table.
 *
 * @param groups headings over several columns each, whose spans add up to the number of columns; empty for none
 * @param labels number of leading columns that name the row; repeated in stacked tables
 * @param joined columns, like intervals, that stay beside the column before them
 */
public record Table(
        String title,
        List<Group> groups,
        List<String> header,
        List<Row> rows,
        List<String> notes,
        int labels,
        Set<Integer> joined) {
    /** Pads short rows with empty cells. */
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

    Table printable() {
        return new Table(
                Printable.of(title),
                groups.stream()
                        .map(group -> new Group(Printable.of(group.name()), group.span()))
                        .toList(),
                printable(header),
                rows.stream()
                        .map(row -> new Row(printable(row.cells()), row.marks()))
                        .toList(),
                printable(notes),
                labels,
                joined);
    }

    private static List<String> printable(List<String> texts) {
        return texts.stream().map(Printable::of).toList();
    }

    /** Names of the columns, each after that of its group. */
    public List<String> flatHeader() {
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
     */
    public record Group(String name, int span) {}

    /**
     * A row.
     *
     * @param cells as many as the header has, or one alone for a heading between rows
     * @param marks one for each cell; empty for no emphasis
     */
    public record Row(List<String> cells, List<Mark> marks) {
        public Row {
            cells = List.copyOf(cells);
            marks = List.copyOf(marks);
        }

        public Row(List<String> cells) {
            this(cells, List.of());
        }

        static Row of(List<Cell> cells) {
            return new Row(
                    cells.stream().map(Cell::text).toList(),
                    cells.stream().map(Cell::mark).toList());
        }

        public Mark mark(int column) {
            return column < marks.size() ? marks.get(column) : Mark.NONE;
        }

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
                            columns.stream().map(this::mark).toList());
        }

        /** Returns true for a heading between rows. */
        public boolean isHeading() {
            return cells.size() == 1;
        }

        Row padded(int width) {
            if (cells.size() >= width) {
                return this;
            }
            List<String> padded = new ArrayList<>(cells);
            padded.addAll(Collections.nCopies(width - cells.size(), ""));
            return new Row(padded, marks);
        }
    }
}
