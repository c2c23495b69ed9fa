package io.posbias.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A LaTeX table for the packages booktabs and graphicx, the best of a column bold, the second underlined. Title and notes
 * are its caption; a table wider than the line is made smaller.
 */
final class LatexTable {
    private LatexTable() {}

    static String render(Table table) {
        StringBuilder text = new StringBuilder();
        text.append("% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n\\centering\n");
        text.append("\\caption{").append(caption(table)).append("}\n\\smallskip\n");
        text.append("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n");
        text.append(tabular(table)).append("}\n\\end{table}\n");
        return text.toString();
    }

    private static String caption(Table table) {
        List<String> sentences = new ArrayList<>();
        if (!table.title().isEmpty()) {
            sentences.add(table.title());
        }
        sentences.addAll(table.notes());
        return sentences.stream()
                .map(LatexTable::escape)
                .map(sentence -> sentence + ".")
                .collect(Collectors.joining("\n"));
    }

    private static String tabular(Table table) {
        int columns = table.header().size();
        StringBuilder text = new StringBuilder();
        text.append("\\begin{tabular}{l").append("r".repeat(columns - 1)).append("}\n\\toprule\n");
        if (!table.groups().isEmpty()) {
            text.append(groups(table.groups())).append(rules(table.groups()));
        }
        text.append(row(table.header().stream().map(LatexTable::escape).toList()))
                .append("\\midrule\n");
        boolean first = true;
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? heading(row, columns, first) : row(row.styled(LatexTable::styled)));
            first = false;
        }
        return text.append("\\bottomrule\n\\end{tabular}").toString();
    }

    private static String heading(Table.Row row, int columns, boolean first) {
        String name = escape(row.cells().getFirst());
        return (first ? "" : "\\addlinespace\n") + "\\multicolumn{" + columns + "}{l}{\\textit{" + name + "}} \\\\\n";
    }

    private static String groups(List<Table.Group> groups) {
        return groups.stream()
                .map(group -> "\\multicolumn{" + group.span() + "}{c}{" + escape(group.name()) + "}")
                .collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    /** A line under the name of each group. */
    private static String rules(List<Table.Group> groups) {
        StringBuilder text = new StringBuilder();
        int column = 1;
        for (Table.Group group : groups) {
            int last = column + group.span() - 1;
            if (!group.name().isEmpty()) {
                text.append("\\cmidrule(lr){")
                        .append(column)
                        .append('-')
                        .append(last)
                        .append('}');
            }
            column = last + 1;
        }
        return text.append('\n').toString();
    }

    private static String styled(Mark mark, String cell) {
        String text = escape(cell);
        return switch (mark) {
            case BEST -> "\\textbf{" + text + "}";
            case SECOND -> "\\underline{" + text + "}";
            default -> text;
        };
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    /** What means something to LaTeX stands for itself; a minus before a number is one. */
    private static String escape(String text) {
        return text.replace("\\", "\\textbackslash ")
                .replaceAll("[&%$#_{}]", "\\\\$0")
                .replace("~", "\\textasciitilde ")
                .replace("^", "\\textasciicircum ")
                .replace("<", "\\textless ")
                .replace(">", "\\textgreater ")
                .replace("|", "\\textbar ")
                .replaceFirst("^-(?=[0-9])", "\\$-\\$")
                .replace("[", "{[}")
                .replace("†", "$^\\dagger$");
    }
}
