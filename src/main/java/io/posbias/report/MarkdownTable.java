package io.posbias.report;

import java.util.List;
import java.util.stream.Collectors;

/** A GitHub-flavoured Markdown table; groups become part of the column names. */
final class MarkdownTable {
    private MarkdownTable() {}

    static String render(Table table) {
        StringBuilder text = new StringBuilder();
        if (!table.title().isEmpty()) {
            text.append("**").append(escape(table.title())).append("**\n\n");
        }
        List<String> header = table.flatHeader();
        text.append(row(header));
        text.append("|:--").append("|--:".repeat(header.size() - 1)).append("|\n");
        for (Table.Row row : table.rows()) {
            String name = row.cells().getFirst();
            boolean heading = row.isHeading();
            text.append(row(heading ? new Table.Row(List.of("*" + name + "*")).padded(header.size()) : row.cells()));
        }
        if (!table.notes().isEmpty()) {
            text.append('\n');
            table.notes().forEach(note -> text.append(escape(note)).append("  \n"));
        }
        return text.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().map(MarkdownTable::escape).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;");
    }
}
