package io.posbias.table;

import io.posbias.Printable;
import java.util.Locale;

/** The texts a table can become. */
public enum TableFormat {
    /** Aligned columns for a terminal. */
    TABLE,
    /** A GitHub-flavoured Markdown table. */
    MARKDOWN,
    /** Comma-separated values with one header line. */
    CSV,
    /** A LaTeX table for the packages booktabs and graphicx, or booktabs and longtable. */
    LATEX;

    /** The word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The table as text that ends with a line end. CSV holds names as they are, all others {@linkplain Printable#of safe to show}. */
    public String render(Table table) {
        return render(table, TerminalStyle.PLAIN);
    }

    /** Renders a table for a terminal; only {@link #TABLE} looks different there. */
    public String render(Table table, TerminalStyle look) {
        return switch (this) {
            case TABLE -> AlignedTable.render(table.printable(), look);
            case MARKDOWN -> MarkdownTable.render(table.printable());
            case CSV -> CsvRows.render(table);
            case LATEX -> LatexTable.render(table.printable());
        };
    }
}
