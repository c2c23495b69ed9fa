package io.posbias.base.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A LaTeX table for the package booktabs, the best of a column bold, the second underlined. Title and notes are its
 * caption, the title its label. A table floats and is scaled down to the width of the column (package graphicx); one of more
 * than {@value #ROWS} rows that fits the page in small print runs over pages (package longtable).
 */
public final class LatexTable {
    private static final int ROWS = 45;

    private static final Pattern MINUS = Pattern.compile("(?<![^ \\[(])-(?=[0-9 ])");

    private final Table table;
    private final TableParts.Part columns;

    private LatexTable(Table table) {
        this.table = table;
        this.columns = TableParts.of(table, Integer.MAX_VALUE).getFirst();
    }

    static String render(Table table) {
        LatexTable latex = new LatexTable(table);
        String caption = "\\caption{" + caption(table) + "}\n\\label{" + label(table) + "}";
        boolean fits = latex.columns.width(0, table.header().size()) <= TerminalStyle.WIDTH;
        return fits && table.rows().size() > ROWS ? latex.longtable(caption) : latex.floating(caption);
    }

    private static String caption(Table table) {
        List<String> sentences = new ArrayList<>();
        if (!table.title().isEmpty()) {
            sentences.add(table.title());
        }
        sentences.addAll(table.notes());
        return sentences.stream().map(LatexTable::sentence).collect(Collectors.joining("\n"));
    }

    private static String sentence(String words) {
        return escape(words) + ".";
    }

    private static String label(Table table) {
        String title = table.title().isEmpty() ? "posbias" : table.title();
        return "tab:"
                + title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }

    private String floating(String caption) {
        return "% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n\\centering\n\\footnotesize\n"
                + "\\setlength{\\tabcolsep}{4pt}\n" + caption + "\n\\smallskip\n"
                + "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n\\begin{tabular}{"
                + alignment() + "}\n" + head() + body() + "\\bottomrule\n\\end{tabular}}\n\\end{table}\n";
    }

    private String longtable(String caption) {
        return "% needs \\usepackage{booktabs,longtable}\n{\\scriptsize\n\\setlength{\\tabcolsep}{2.5pt}\n"
                + "\\begin{longtable}{" + alignment() + "}\n" + caption + "\\\\\n" + head() + "\\endfirsthead\n"
                + head()
                + "\\endhead\n\\bottomrule\n\\endfoot\n" + body() + "\\end{longtable}\n}\n";
    }

    private String head() {
        String groups = table.groups().isEmpty() ? "" : groups(table.groups()) + rules(table.groups());
        return "\\toprule\n" + groups + row(new Table.Row(table.header())) + "\\midrule\n";
    }

    private String body() {
        StringBuilder text = new StringBuilder();
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? heading(row, text.isEmpty()) : row(row));
        }
        return text.toString();
    }

    private String alignment() {
        return columns.columns().stream()
                .map(column -> column.words() ? "l" : "r")
                .collect(Collectors.joining());
    }

    private String heading(Table.Row row, boolean first) {
        String name = escape(row.cells().getFirst());
        return (first ? "" : "\\addlinespace\n") + "\\multicolumn{"
                + table.header().size() + "}{l}{\\textit{" + name + "}} \\\\\n";
    }

    private static String groups(List<Table.Group> groups) {
        return groups.stream()
                .map(group -> "\\multicolumn{" + group.span() + "}{c}{" + escape(group.name()) + "}")
                .collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

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

    private static String row(Table.Row row) {
        return row.styled((mark, cell) -> styled(mark, escape(cell))).stream()
                .collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    private static String styled(Mark mark, String text) {
        return switch (mark) {
            case BEST -> "\\textbf{" + text + "}";
            case SECOND -> "\\underline{" + text + "}";
            default -> text;
        };
    }

    /** Returns a text with the characters of LaTeX escaped. */
    public static String escape(String text) {
        if (text.equals(NumberFormat.NONE)) {
            return "--";
        }
        String escaped = text.replace("\\", "\\textbackslash ")
                .replaceAll("[&%$#_{}]", "\\\\$0")
                .replace("~", "\\textasciitilde ")
                .replace("^", "\\textasciicircum ")
                .replace("<", "\\textless ")
                .replace(">", "\\textgreater ")
                .replace("|", "\\textbar ");
        return MINUS.matcher(escaped)
                .replaceAll("\\$-\\$")
                .replace("[", "{[}")
                .replace("†", "$^\\dagger$")
                .replace("‡", "$^\\ddagger$");
    }
}
