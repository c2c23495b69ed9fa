package io.posbias.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table in aligned columns, for a terminal: numbers to the right, words and bars to the left, in as many {@link TableParts} as its
 * width needs. Widths are counted in code points. Rows that have a curve show it after their name.
 */
final class AlignedTable {
    private static final String ESCAPE = "\u001b[";
    private static final String RESET = ESCAPE + "0m";
    private static final String BOLD = "1";
    private static final String HANGING = "    ";
    private static final String CURVE = "curve";

    private final TableParts.Part part;
    private final Table table;
    private final TerminalStyle style;

    private AlignedTable(TableParts.Part part, TerminalStyle style) {
        this.part = part;
        this.table = part.table();
        this.style = style;
    }

    static String render(Table table, TerminalStyle style) {
        boolean curves = table.rows().stream().anyMatch(row -> !row.curve().isEmpty());
        Table shown = curves ? withCurves(table, style.blocks()) : table;
        return TableParts.of(shown, style.width()).stream()
                .map(part -> new AlignedTable(part, style).render())
                .collect(Collectors.joining("\n"));
    }

    /** The same table with one column more. */
    private static Table withCurves(Table table, boolean blocks) {
        List<Table.Group> groups = new ArrayList<>(table.groups());
        if (!groups.isEmpty()) {
            Table.Group first = groups.getFirst();
            groups.set(0, new Table.Group(first.name(), first.span() + 1));
        }
        List<Table.Row> rows =
                table.rows().stream().map(row -> withCurve(row, blocks)).toList();
        List<String> notes = new ArrayList<>(table.notes());
        notes.add(Sparkline.note(blocks));
        return new Table(table.title(), groups, second(table.header(), CURVE), rows, notes, table.labels(), Set.of());
    }

    private static Table.Row withCurve(Table.Row row, boolean blocks) {
        if (row.isHeading()) {
            return row;
        }
        String curve = Sparkline.of(row.curve(), blocks);
        // To the left, under the header's first letter.
        List<String> cells = second(
                row.cells(),
                curve + " ".repeat(Math.max(0, CURVE.length() - row.curve().size())));
        return new Table.Row(cells, row.marks().isEmpty() ? List.of() : second(row.marks(), Mark.NONE), List.of());
    }

    private static <T> List<T> second(List<T> list, T element) {
        List<T> longer = new ArrayList<>(list);
        longer.add(1, element);
        return longer;
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            lines(table.title(), Lines.INDENT)
                    .forEach(line -> text.append(styled(line, BOLD)).append('\n'));
        }
        if (!table.groups().isEmpty()) {
            text.append(groups()).append('\n');
        }
        text.append(header());
        text.append("-".repeat(part.width(0, part.columns().size()))).append('\n');
        table.rows().forEach(row -> text.append(row.isHeading() ? row.cells().getFirst() + "\n" : row(row)));
        table.notes()
                .forEach(note -> lines(note, Lines.INDENT)
                        .forEach(line -> text.append(line).append('\n')));
        return text.toString();
    }

    private List<String> lines(String text, int indent) {
        return Lines.of(text, style.width(), indent);
    }

    private String groups() {
        List<String> names = new ArrayList<>();
        int column = 0;
        for (Table.Group group : table.groups()) {
            names.add(pad(group.name(), null, part.width(column, group.span()), true));
            column += group.span();
        }
        return String.join(gap(), names).stripTrailing();
    }

    private String gap() {
        return " ".repeat(part.gap());
    }

    /** Names of columns end on one line. */
    private String header() {
        List<List<String>> cells = cells(new Table.Row(table.header()), 0);
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        cells.forEach(lines -> lines.addAll(0, Collections.nCopies(height - lines.size(), "")));
        return text(new Table.Row(table.header()), cells);
    }

    private String row(Table.Row row) {
        List<List<String>> cells = cells(row, Lines.INDENT);
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        cells.forEach(lines -> lines.addAll(Collections.nCopies(height - lines.size(), "")));
        return text(row, cells) + hanging(row);
    }

    /** Prose that has no room beside the numbers. */
    private String hanging(Table.Row row) {
        String text = part.hangs() ? row.cells().getLast() : "";
        return text.isEmpty()
                ? ""
                : Lines.of(text, style.width() - HANGING.length(), 0).stream()
                        .map(line -> HANGING + line + "\n")
                        .collect(Collectors.joining());
    }

    /** The lines of each cell. */
    private List<List<String>> cells(Table.Row row, int indent) {
        List<List<String>> cells = new ArrayList<>();
        for (int column = 0; column < part.columns().size(); column++) {
            cells.add(new ArrayList<>(Lines.of(
                    row.cells().get(column),
                    part.columns().get(column).width(),
                    column < table.labels() ? indent : 0)));
        }
        return cells;
    }

    private String text(Table.Row row, List<List<String>> cells) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.getFirst().size(); i++) {
            List<String> padded = new ArrayList<>();
            for (int column = 0; column < cells.size(); column++) {
                TableParts.Column place = part.columns().get(column);
                padded.add(pad(cells.get(column).get(i), style(row.mark(column)), place.width(), place.words()));
            }
            text.append(String.join(gap(), padded).stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** The parameters of ANSI's escape sequence for a mark; null for none. */
    private static @Nullable String style(Mark mark) {
        return switch (mark) {
            case NONE -> null;
            case BEST -> BOLD;
            case SECOND -> "4";
            case SOUND -> "32";
            case UNSURE -> "33";
            case BIASED -> "31";
        };
    }

    private String pad(String text, @Nullable String style, int width, boolean left) {
        String spaces = " ".repeat(Math.max(0, width - TableParts.width(text)));
        return left ? styled(text, style) + spaces : spaces + styled(text, style);
    }

    private String styled(String text, @Nullable String parameters) {
        return style.colour() && parameters != null && !text.isEmpty()
                ? ESCAPE + parameters + "m" + text + RESET
                : text;
    }
}
