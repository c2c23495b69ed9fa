package io.posbias.base.table;

import io.posbias.base.text.Printable;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Output formats of tables. */
public enum TableFormat {
    /** Aligned columns for a terminal. */
    TABLE,
    /** A GitHub-flavoured Markdown table. */
    MARKDOWN,
    /** Comma-separated values with one header line. */
    CSV,
    /** A LaTeX table for the packages booktabs and graphicx, or booktabs and longtable. */
    LATEX;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Renders a table. CSV contains names unchanged; other formats {@linkplain Printable#of escape} them. */
    public String render(Table table) {
        return render(table, TerminalStyle.PLAIN);
    }

    /** Renders a table; only {@link #TABLE} depends on the look. */
    public String render(Table table, TerminalStyle look) {
        return switch (this) {
            case TABLE -> AlignedTable.render(table.printable(), look);
            case MARKDOWN -> MarkdownTable.render(table.printable());
            case CSV -> CsvRows.render(table);
            case LATEX -> LatexTable.render(table.printable());
        };
    }

    /** Renders tables, an empty line between them. */
    public String render(List<Table> tables, TerminalStyle look) {
        return tables.stream().map(table -> render(table, look)).collect(Collectors.joining("\n"));
    }
}
