package io.posbias.cli.common;

import io.posbias.table.Table;
import io.posbias.table.TableFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** In which form tables go to stdout; shared by all commands that print nothing but one kind of them. */
public final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TABLE;

    /** The form. */
    public Format format() {
        return format;
    }

    /** Prints JSON in UTF-8, or a table in one of the other forms. */
    public void print(PrintWriter out, Supplier<byte[]> json, Supplier<Table> table) {
        print(out, format == Format.JSON ? utf8(json) : format.ofTables().render(table.get()));
    }

    /** Prints JSON in UTF-8, or tables in one of the other forms. */
    public void printAll(PrintWriter out, Supplier<byte[]> json, Supplier<List<Table>> tables) {
        print(out, format == Format.JSON ? utf8(json) : render(tables.get()));
    }

    /**
     * Prints JSON in UTF-8, several tables, or as CSV one.
     *
     * @param tables for people
     * @param tidy all numbers in one table
     */
    public void print(PrintWriter out, Supplier<byte[]> json, List<Table> tables, Table tidy) {
        print(
                out,
                switch (format) {
                    case JSON -> utf8(json);
                    case CSV -> TableFormat.CSV.render(tidy);
                    default -> render(tables);
                });
    }

    private String render(List<Table> tables) {
        return String.join("\n", tables.stream().map(format.ofTables()::render).toList());
    }

    private static String utf8(Supplier<byte[]> json) {
        return new String(json.get(), StandardCharsets.UTF_8);
    }

    private static void print(PrintWriter out, String text) {
        out.print(text);
        out.flush();
    }
}
