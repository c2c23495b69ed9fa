package io.posbias.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A LaTeX table for the packages booktabs and graphicx, the best of a column bold, the second underlined. Title and notes are its
 * caption, the title its label. Columns are stacked where a terminal of {@value TerminalStyle#WIDTH} columns would stack them,
 * which in small print is about the width of an article's page; what is wider all the same is made smaller. A table of more than
 * {@value #LINES} lines is several: a part each, and a part that is longer divided before a heading between rows where it can be,
 * else below a repeated one, its header repeated.
 */
final class LatexTable {
    /** Lines of small print on a page beside a caption, rules and the space before headings. */
    private static final int LINES = 45;

    /** Where prose is broken that has a column for itself. */
    private static final int PROSE = 45;

    private static final String BEGIN = "\\begin{table}\n\\centering\n\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n";
    private static final String END = "\\end{table}\n";
    private static final String NEXT = "\\par\\medskip\n";

    /** At the beginning of a word and before a number or a space: neither the hyphen of a name nor that of a range. */
    private static final Pattern MINUS = Pattern.compile("(?<![^ \\[(])-(?=[0-9 ])");

    private final TableParts.Part part;
    private final Table table;

    private LatexTable(TableParts.Part part) {
        this.part = part;
        this.table = part.table();
    }

    static String render(Table table) {
        List<LatexTable> parts = TableParts.of(table, TerminalStyle.WIDTH).stream()
                .flatMap(part -> new LatexTable(part).pages().stream())
                .toList();
        int lines = parts.stream()
                .mapToInt(part -> part.headerHeight() + part.height(part.table.rows()))
                .sum();
        String caption = "\\caption{" + caption(table) + "}\n\\label{" + label(table) + "}\n\\smallskip\n";
        String between = lines > LINES
                ? END + BEGIN + "\\caption{" + sentence(table.title() + ", continued") + "}\n\\smallskip\n"
                : NEXT;
        String tabulars = parts.stream().map(LatexTable::tabular).collect(Collectors.joining(between));
        return "% needs \\usepackage{booktabs,graphicx}\n" + BEGIN + caption + tabulars + END;
    }

    /** The part in pieces that have room on a page each; mostly one. */
    private List<LatexTable> pages() {
        List<List<Table.Row>> pages = new ArrayList<>();
        pages.add(new ArrayList<>());
        for (List<Table.Row> block : blocks()) {
            if (!pages.getLast().isEmpty() && isFull(pages.getLast(), block)) {
                pages.add(new ArrayList<>());
            }
            for (Table.Row row : block) {
                if (isFull(pages.getLast(), List.of(row))) {
                    boolean isHeaded = block.getFirst().isHeading();
                    pages.add(new ArrayList<>(isHeaded ? block.subList(0, 1) : List.of()));
                }
                pages.getLast().add(row);
            }
        }
        return pages.stream()
                .map(rows -> new LatexTable(new TableParts.Part(table.with(rows), part.columns(), part.gap())))
                .toList();
    }

    /** Each heading between rows with the rows below it. */
    private List<List<Table.Row>> blocks() {
        List<List<Table.Row>> blocks = new ArrayList<>();
        for (Table.Row row : table.rows()) {
            if (blocks.isEmpty() || row.isHeading()) {
                blocks.add(new ArrayList<>());
            }
            blocks.getLast().add(row);
        }
        return blocks;
    }

    private boolean isFull(List<Table.Row> page, List<Table.Row> more) {
        return headerHeight() + height(page) + height(more) > LINES;
    }

    private int headerHeight() {
        return (table.groups().isEmpty() ? 0 : 1) + lines(table.header());
    }

    private int height(List<Table.Row> rows) {
        return rows.stream()
                .mapToInt(row -> row.isHeading() ? 1 : lines(row.cells()))
                .sum();
    }

    /** On how many lines a row is. */
    private int lines(List<String> cells) {
        int height = 1;
        int column = 0;
        for (String cell : cells) {
            height = Math.max(height, lines(cell, column++).size());
        }
        return height;
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
        StringBuilder text =
                new StringBuilder("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n");
        text.append("\\begin{tabular}{").append(alignment()).append("}\n\\toprule\n");
        if (!table.groups().isEmpty()) {
            text.append(groups(table.groups())).append(rules(table.groups()));
        }
        text.append(header()).append("\\midrule\n");
        boolean first = true;
        for (Table.Row row : table.rows()) {
            text.append(row.isHeading() ? heading(row, first) : row(row));
            first = false;
        }
        return text.append("\\bottomrule\n\\end{tabular}}\n").toString();
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

    /**
     * A cell, on as many lines as on a terminal.
     *
     * @param place which of its lines is beside the other cells: t for the first, b for the last
     */
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

    /** What means something to LaTeX stands for itself; every minus is one of mathematics, and a value that is not there a dash. */
    private static String escape(String text) {
        if (text.equals(Unit.NONE)) {
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
