package io.posbias.base.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a table in parts no wider than a page. A wide table is set tighter: headers and prose on up to {@value
 * #LINES} lines, one space between columns, short cells of words on several lines, a last column of prose below its row.
 * If that is not enough, columns are stacked: each part repeats the label columns, columns of a group stay together if
 * they fit, and rows without a value are left out. Numbers are not broken, words only if they are wider than {@value #NAME} and two thirds of
 * the page.
 */
final class TableParts {
    private static final int LINES = 3;

    private static final int PROSE = 24;

    /** Words up to this width are never broken. */
    private static final int NAME = 40;

    private static final int GAP = 2;

    private final Table table;
    private final int page;
    private final int[] natural;
    private final int[] least;
    /** Least widths with cells up to {@value #PROSE} on one line. */
    private final int[] unbroken;

    private final boolean[] words;

    private TableParts(Table table, int page) {
        this.table = table;
        this.page = page;
        int columns = table.header().size();
        this.natural = new int[columns];
        this.least = new int[columns];
        this.unbroken = new int[columns];
        this.words = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            measure(column);
        }
    }

    /**
     * A part.
     *
     * @param table its columns; the first part has the title, the last the notes
     * @param columns their layout, without a last column that hangs below its row
     */
    record Part(Table table, List<Column> columns, int gap) {
        int width(int first, int span) {
            return gap * (span - 1)
                    + columns.subList(first, first + span).stream()
                            .mapToInt(Column::width)
                            .sum();
        }

        boolean hangs() {
            return columns.size() < table.header().size();
        }
    }

    /**
     * Layout of a column.
     *
     * @param width in code points
     * @param words true for words, which are on the left and may be wrapped; false for numbers
     */
    record Column(int width, boolean words) {}

    static List<Part> of(Table table, int page) {
        return new TableParts(table, page).parts();
    }

    private List<Part> parts() {
        List<Integer> all = IntStream.range(0, natural.length).boxed().toList();
        Part whole = fitting(all, table);
        if (whole != null) {
            return List.of(whole);
        }
        return all.size() == table.labels() ? List.of(tightest(all, table)) : stacked();
    }

    /**
     * The columns side by side: cells of a few words, like verdicts, on one line if any gap allows it; otherwise with a last
     * column of prose below its row. Null if they do not fit.
     */
    private @Nullable Part fitting(List<Integer> columns, Table shown) {
        for (int[] narrowest : List.of(unbroken, least)) {
            for (int gap = GAP; gap > 0; gap--) {
                int[] widths = fit(columns, gap, narrowest);
                if (widths != null) {
                    return part(shown, columns, widths, gap);
                }
            }
        }
        int last = columns.size() - 1;
        boolean hangs = last > 0 && words[columns.get(last)] && natural[columns.get(last)] > PROSE;
        int[] widths = hangs ? fit(columns.subList(0, last), GAP, least) : null;
        return widths == null ? null : part(shown, columns, widths, GAP);
    }

    private Part tightest(List<Integer> columns, Table shown) {
        return part(shown, columns, widened(columns, least, GAP), GAP);
    }

    private void measure(int column) {
        words[column] = column < table.labels();
        String header = table.header().get(column);
        int cells = 0;
        int word = 0;
        for (Table.Row row : table.rows()) {
            if (!row.isHeading()) {
                String cell = row.cells().get(column);
                cells = Math.max(cells, width(cell));
                word = Math.max(word, longestWord(cell, column < table.labels() ? Lines.INDENT : 0));
                words[column] |= !cell.isEmpty() && (Character.isLetter(cell.codePointAt(0)) || cell.startsWith("#"));
            }
        }
        natural[column] = Math.max(width(header), cells);
        int room = words[column]
                ? Math.max(Math.min(word, Math.max(NAME, page * 2 / 3)), (cells + LINES - 1) / LINES)
                : cells;
        least[column] = Math.max(longestWord(header, 0), room);
        unbroken[column] = cells <= PROSE ? Math.max(least[column], cells) : least[column];
    }

    private static int longestWord(String text, int indent) {
        List<String> words = Arrays.asList(text.strip().split(" "));
        int first = width(text) - width(text.stripLeading());
        return IntStream.range(0, words.size())
                .map(i -> width(words.get(i)) + (i == 0 ? first : indent))
                .max()
                .orElse(0);
    }

    /** @param narrowest least widths of all columns */
    private int @Nullable [] fit(List<Integer> columns, int gap, int[] narrowest) {
        int[] wanted = natural.clone();
        int[] widths = widened(columns, wanted, gap);
        if (width(widths, gap) <= page) {
            return widths;
        }
        columns.stream().filter(column -> !words[column]).forEach(column -> wanted[column] = narrowest[column]);
        widths = widened(columns, wanted, gap);
        while (width(widths, gap) > page) {
            int widest = -1;
            for (int column : columns) {
                boolean gives = words[column] && wanted[column] > narrowest[column];
                widest = gives && (widest < 0 || wanted[column] > wanted[widest]) ? column : widest;
            }
            if (widest < 0) {
                return null;
            }
            wanted[widest]--;
            widths = widened(columns, wanted, gap);
        }
        return widths;
    }

    private int[] widened(List<Integer> columns, int[] wanted, int gap) {
        int[] widths = columns.stream().mapToInt(column -> wanted[column]).toArray();
        int first = 0;
        for (Table.Group group : table.select(columns).groups()) {
            int last = first + group.span() - 1;
            int own = width(Arrays.copyOfRange(widths, first, last + 1), gap);
            widths[last] += Math.max(0, width(group.name()) - own);
            first = last + 1;
        }
        return widths;
    }

    private static int width(int[] widths, int gap) {
        return Arrays.stream(widths).sum() + gap * (widths.length - 1);
    }

    private Part part(Table shown, List<Integer> columns, int[] widths, int gap) {
        return new Part(
                shown,
                IntStream.range(0, widths.length)
                        .mapToObj(i -> new Column(widths[i], words[columns.get(i)]))
                        .toList(),
                gap);
    }

    private List<Part> stacked() {
        List<List<Integer>> parts = new ArrayList<>();
        for (List<List<Integer>> group : groups()) {
            List<Integer> all = group.stream().flatMap(List::stream).toList();
            if (parts.isEmpty() || fit(plus(parts.getLast(), all), GAP, least) == null) {
                parts.add(names());
            }
            boolean isWhole = fit(plus(parts.getLast(), all), 1, least) != null;
            for (List<Integer> joined : group) {
                boolean isFirst = parts.getLast().size() == table.labels();
                if (!isWhole && !isFirst && fit(plus(parts.getLast(), joined), GAP, least) == null) {
                    parts.add(names());
                }
                parts.getLast().addAll(joined);
            }
        }
        List<Part> stacked = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            List<Integer> columns = parts.get(i);
            Table shown = table.select(columns).part(i == 0, i == parts.size() - 1);
            stacked.add(Objects.requireNonNullElseGet(fitting(columns, shown), () -> tightest(columns, shown)));
        }
        return stacked;
    }

    private List<Integer> names() {
        return new ArrayList<>(IntStream.range(0, table.labels()).boxed().toList());
    }

    private static List<Integer> plus(List<Integer> columns, List<Integer> more) {
        List<Integer> all = new ArrayList<>(columns);
        all.addAll(more);
        return all;
    }

    private List<List<List<Integer>>> groups() {
        List<List<List<Integer>>> groups = new ArrayList<>();
        for (int column = table.labels(); column < natural.length; column++) {
            int before = column == table.labels() ? -1 : table.groupOf(column - 1);
            boolean isGrouped = before >= 0
                    && before == table.groupOf(column)
                    && !table.groups().get(before).name().isEmpty();
            boolean isJoined = column > table.labels() && table.joined().contains(column);
            if (!isGrouped && !isJoined) {
                groups.add(new ArrayList<>());
            }
            if (!isJoined) {
                groups.getLast().add(new ArrayList<>());
            }
            groups.getLast().getLast().add(column);
        }
        return groups;
    }

    static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
