package io.posbias.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A LaTeX table for the package booktabs, the best of a column bold, the second underlined. Title and notes are its caption, the
 * title its label. Columns are stacked where a terminal of {@value TerminalStyle#WIDTH} columns would stack them, which in small
 * print is about the width of an article's page. A table of up to {@value #LINES} lines floats and is scaled down to the width of
 * the column (package graphicx); a longer one runs over pages (package longtable).
 */
final class LatexTable {
    private static final int LINES = 45;

    private static final int PROSE = 45;

    private static final Pattern MINUS = Pattern.compile("(?<![^ \\[(])-(?=[0-9 ])");

    private final TableParts.Part part;
    private final Table table;

    private LatexTable(TableParts.Part part) {
        this.part = part;
        this.table = part.table();
    }

    static String render(Table table) {
        List<LatexTable> parts = TableParts.of(table, TerminalStyle.WIDTH).stream()
                .map(LatexTable::new)
                .toList();
        String caption = "\\caption{" + caption(table) + "}\n\\label{" + label(table) + "}";
        int lines = parts.stream().mapToInt(LatexTable::height).sum();
        return lines > LINES
                ? "% needs \\usepackage{booktabs,longtable}\n{\\scriptsize\n\\setlength{\\tabcolsep}{2.5pt}\n"
                        + parts.stream()
                                .map(part -> part.longtable(part.equals(parts.getFirst()) ? caption : ""))
                                .collect(Collectors.joining())
                        + "}\n"
                : "% needs \\usepackage{booktabs,graphicx}\n\\begin{table}\n\\centering\n\\footnotesize\n"
                        + "\\setlength{\\tabcolsep}{4pt}\n" + caption
                        + "\n\\smallskip\n"
                        + parts.stream().map(LatexTable::tabular).collect(Collectors.joining("\\par\\medskip\n"))
                        + "\\end{table}\n";
    }

    private int height() {
        int header = table.groups().isEmpty() ? 1 : 2;
        return header
                + table.rows().stream()
                        .mapToInt(row -> IntStream.range(0, row.cells().size())
                                .map(column -> row.isHeading()
                                        ? 1
                                        : lines(row.cells().get(column), column).size())
                                .max()
                                .orElse(1))
                        .sum();
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

    private String tabular() {
        return "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n\\begin{tabular}{"
                + alignment() + "}\n" + head() + body() + "\\bottomrule\n\\end{tabular}}\n";
    }

    private String longtable(String caption) {
        String begin = "\\begin{longtable}{" + alignment() + "}\n";
        return (caption.isEmpty()
                        ? "\\addtocounter{table}{-1}\n" + begin
                        : begin + caption + "\\\\\n" + head() + "\\endfirsthead\n")
                + head() + "\\endhead\n\\bottomrule\n\\endfoot\n" + body() + "\\end{longtable}\n";
    }

    private String head() {
        String groups = table.groups().isEmpty() ? "" : groups(table.groups()) + rules(table.groups());
        return "\\toprule\n" + groups + header() + "\\midrule\n";
    }

    private String body() {
        StringBuilder text = new StringBuilder();
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? heading(row, text.isEmpty()) : row(row));
        }
        return text.toString();
    }

    private String alignment() {
        String columns = part.columns().stream()
                .map(column -> column.words() ? "l" : "r")
                .collect(Collectors.joining());
        return part.hangs() ? columns + "l" : columns;
    }

    private String heading(Table.Row row, boolean first) {
        String name = escape(row.cells().getFirst());
        int columns = table.header().size();
        return (first ? "" : "\\addlinespace\n") + "\\multicolumn{" + columns + "}{l}{\\textit{" + name + "}} \\\\\n";
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

    private String header() {
        List<String> cells = new ArrayList<>();
        for (int column = 0; column < table.header().size(); column++) {
            cells.add(lines(table.header().get(column), column, 'b', Mark.NONE));
        }
        return cells(cells);
    }

    private String row(Table.Row row) {
        List<String> cells = new ArrayList<>();
        for (int column = 0; column < table.header().size(); column++) {
            cells.add(lines(row.cells().get(column), column, 't', row.mark(column)));
        }
        return cells(cells);
    }

    private static String cells(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" & ", "", " \\\\\n"));
    }

    private String lines(String cell, int column, char place, Mark mark) {
        List<String> lines = lines(cell, column).stream()
                .map(line -> styled(mark, escape(line)))
                .toList();
        if (lines.size() == 1) {
            return lines.getFirst();
        }
        boolean isBeside = column < part.columns().size();
        char side = isBeside && !part.columns().get(column).words() ? 'r' : 'l';
        return "\\begin{tabular}[" + place + "]{@{}" + side + "@{}}" + String.join("\\\\ ", lines) + "\\end{tabular}";
    }

    private List<String> lines(String cell, int column) {
        boolean isBeside = column < part.columns().size();
        return Lines.of(cell, isBeside ? part.columns().get(column).width() : PROSE, 0);
    }

    private static String styled(Mark mark, String text) {
        return switch (mark) {
            case BEST -> "\\textbf{" + text + "}";
            case SECOND -> "\\underline{" + text + "}";
            default -> text;
        };
    }

    private static String escape(String text) {
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
        return MINUS.matcher(escaped).replaceAll("\\$-\\$").replace("[", "{[}").replace("†", "$^\\dagger$");
    }
}
