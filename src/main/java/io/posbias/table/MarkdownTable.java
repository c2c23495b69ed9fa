package io.posbias.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A GitHub-flavoured Markdown table; groups become part of the column names, the best is bold, the second underlined. */
final class MarkdownTable {
    private MarkdownTable() {}

    static String render(Table table) {
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            text.append("**").append(escape(table.title())).append("**\n\n");
        }
        List<String> header = table.flatHeader();
        text.append(row(header.stream().map(MarkdownTable::escape).toList()));
        text.append("|:--").append("|--:".repeat(header.size() - 1)).append("|\n");
        for (Table.Row row : table.rows()) {
            String name = row.cells().getFirst();
            boolean heading = row.isHeading();
            text.append(heading ? row(padded("*" + escape(name) + "*", header.size())) : row(cells(row)));
        }
        if (!table.notes().isEmpty()) {
            text.append('\n');
            table.notes().forEach(note -> text.append(escape(note)).append("  \n"));
        }
        return text.toString();
    }

    private static List<String> padded(String name, int width) {
        return new Table.Row(List.of(name)).padded(width).cells();
    }

    private static List<String> cells(Table.Row row) {
        List<String> cells = new ArrayList<>();
        for (int column = 0; column < row.cells().size(); column++) {
            cells.add(marked(row.mark(column), escape(row.cells().get(column))));
        }
        return cells;
    }

    /** Markdown has no underline of its own; GitHub and others take this tag of HTML. */
    private static String marked(Mark mark, String text) {
        return switch (mark) {
            case BEST -> "**" + text + "**";
            case SECOND -> "<ins>" + text + "</ins>";
            default -> text;
        };
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*");
    }
}
