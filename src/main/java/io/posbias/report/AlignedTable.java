package io.posbias.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table in aligned columns, for a terminal: numbers to the right, words to the left. Widths are counted in code points.
 */
final class AlignedTable {
    private static final String GAP = "  ";

    private final Table table;
    private final int[] widths;
    private final boolean[] words;

    private AlignedTable(Table table) {
        this.table = table;
        int columns = table.header().size();
        this.widths = new int[columns];
        this.words = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            widths[column] = width(table.header().get(column));
            words[column] = column == 0;
            for (Table.Row row : table.rows()) {
                if (!row.isHeading()) {
                    String cell = row.cells().get(column);
                    widths[column] = Math.max(widths[column], width(cell));
                    words[column] |= !cell.isEmpty() && Character.isLetter(cell.codePointAt(0));
                }
            }
        }
        widenForGroups();
    }

    static String render(Table table) {
        return new AlignedTable(table).render();
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            text.append(table.title()).append('\n');
        }
        if (!table.groups().isEmpty()) {
            text.append(groups()).append('\n');
        }
        text.append(row(table.header())).append('\n');
        text.append("-".repeat(groupWidth(0, widths.length))).append('\n');
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? row.cells().getFirst() : row(row.cells()))
                    .append('\n');
        }
        table.notes().forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    /** A group's name may be longer than its columns: the last of them takes the difference. */
    private void widenForGroups() {
        int column = 0;
        for (Table.Group group : table.groups()) {
            int missing = width(group.name()) - groupWidth(column, group.span());
            column += group.span();
            widths[column - 1] += Math.max(0, missing);
        }
    }

    private int groupWidth(int first, int span) {
        int width = GAP.length() * (span - 1);
        for (int column = first; column < first + span; column++) {
            width += widths[column];
        }
        return width;
    }

    private String groups() {
        List<String> names = new ArrayList<>();
        int column = 0;
        for (Table.Group group : table.groups()) {
            names.add(pad(group.name(), groupWidth(column, group.span()), true));
            column += group.span();
        }
        return String.join(GAP, names).stripTrailing();
    }

    private String row(List<String> cells) {
        List<String> padded = new ArrayList<>();
        for (int column = 0; column < cells.size(); column++) {
            padded.add(pad(cells.get(column), widths[column], words[column]));
        }
        return String.join(GAP, padded).stripTrailing();
    }

    private static String pad(String text, int width, boolean left) {
        String spaces = " ".repeat(Math.max(0, width - width(text)));
        return left ? text + spaces : spaces + text;
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
