package io.posbias.report;

import java.util.ArrayList;
import java.util.List;

/** A table in aligned columns, for a terminal. Widths are counted in code points. */
final class AlignedTable {
    private AlignedTable() {}

    static String render(Table table) {
        List<Integer> widths = widths(table);
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            text.append(table.title()).append('\n');
        }
        if (!table.groups().isEmpty()) {
            text.append(alignedGroups(table.groups(), widths).stripTrailing()).append('\n');
        }
        text.append(alignedRow(table.header(), widths)).append('\n');
        text.append("-".repeat(alignedRow(table.header(), widths).length())).append('\n');
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? row.cells().getFirst() : alignedRow(row.cells(), widths))
                    .append('\n');
        }
        table.notes().forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    private static List<Integer> widths(Table table) {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < table.header().size(); column++) {
            int at = column;
            int widest = table.rows().stream()
                    .filter(row -> !row.isHeading())
                    .mapToInt(row -> width(row.cells().get(at)))
                    .max()
                    .orElse(0);
            widths.add(Math.max(widest, width(table.header().get(column))));
        }
        return widths;
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String alignedGroups(List<Table.Group> groups, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        int column = 0;
        for (Table.Group group : groups) {
            int width = 2 * (group.span() - 1);
            for (int i = 0; i < group.span(); i++) {
                width += widths.get(column++);
            }
            line.append(line.isEmpty() ? "" : "  ").append(pad(group.name(), width, false));
        }
        return line.toString();
    }

    private static String alignedRow(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder(pad(cells.getFirst(), widths.getFirst(), false));
        for (int column = 1; column < cells.size(); column++) {
            line.append("  ").append(pad(cells.get(column), widths.get(column), true));
        }
        return line.toString();
    }

    private static String pad(String text, int width, boolean right) {
        String spaces = " ".repeat(Math.max(0, width - width(text)));
        return right ? spaces + text : text + spaces;
    }
}
