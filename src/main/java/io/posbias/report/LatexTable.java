package io.posbias.report;

import java.util.List;
import java.util.stream.Collectors;

/** A LaTeX tabular for the booktabs package; title and notes are comments. */
final class LatexTable {
    private LatexTable() {}

    static String render(Table table) {
        int columns = table.header().size();
        StringBuilder text = new StringBuilder();
        text.append("% ").append(table.title()).append("; needs \\usepackage{booktabs}\n");
        text.append("\\begin{tabular}{l").append("r".repeat(columns - 1)).append("}\n\\toprule\n");
        if (!table.groups().isEmpty()) {
            text.append(groups(table.groups()));
        }
        text.append(row(table.header())).append("\\midrule\n");
        for (Table.Row row : table.rows()) {
            text.append(
                    row.isHeading()
                            ? "\\multicolumn{" + columns + "}{l}{\\textit{"
                                    + escape(row.cells().getFirst()) + "}} \\\\\n"
                            : row(row.cells()));
        }
        text.append("\\bottomrule\n\\end{tabular}\n");
        table.notes().forEach(note -> text.append("% ").append(note).append('\n'));
        return text.toString();
    }

    private static String groups(List<Table.Group> groups) {
        return groups.stream()
                .map(group -> "\\multicolumn{" + group.span() + "}{c}{" + escape(group.name()) + "}")
                .collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    private static String row(List<String> cells) {
        return cells.stream().map(LatexTable::escape).collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    private static String escape(String text) {
        return text.replace("\\", "\\textbackslash ")
                .replaceAll("[&%$#_{}]", "\\\\$0")
                .replace("~", "\\textasciitilde ")
                .replace("^", "\\textasciicircum ")
                .replace("<", "\\textless ")
                .replace(">", "\\textgreater ")
                .replace("|", "\\textbar ")
                .replace("†", "$^\\dagger$");
    }
}
