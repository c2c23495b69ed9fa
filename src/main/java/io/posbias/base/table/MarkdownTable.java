package io.posbias.base.table;

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
            text.append(row(
                    heading
                            ? new Table.Row(List.of("*" + escape(name) + "*"))
                                    .padded(header.size())
                                    .cells()
                            : row.styled(MarkdownTable::styled)));
        }
        if (!table.notes().isEmpty()) {
            text.append('\n');
            table.notes().forEach(note -> text.append(escape(note)).append("  \n"));
        }
        return text.toString();
    }

    private static String styled(Mark mark, String cell) {
        String text = escape(cell);
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
