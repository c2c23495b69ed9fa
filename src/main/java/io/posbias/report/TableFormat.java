package io.posbias.report;

import java.util.Locale;

/** The texts a table can become. */
public enum TableFormat {
    /** Aligned columns for a terminal. */
    TABLE,
    /** A GitHub-flavoured Markdown table. */
    MARKDOWN,
    /** Comma-separated values with one header line. */
    CSV,
    /** A LaTeX tabular. */
    LATEX;

    /** The word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The table as text that ends with a line end. */
    public String render(Table table) {
        return switch (this) {
            case TABLE -> AlignedTable.render(table);
            case MARKDOWN -> MarkdownTable.render(table);
            case CSV -> CsvTable.render(table);
            case LATEX -> LatexTable.render(table);
        };
    }
}
