package io.posbias.cli;

import io.posbias.report.ProfileTables;
import io.posbias.report.Result;
import io.posbias.report.ResultFile;
import io.posbias.report.Table;
import io.posbias.report.TableFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** What goes to stdout of results; shared by {@code eval}, {@code score} and {@code pool}. */
final class PrintOptions {
    /** The forms there are. */
    enum Format {
        TABLE,
        MARKDOWN,
        CSV,
        LATEX,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Prints JSON in UTF-8, or a table in one of the other forms. */
        void print(PrintWriter out, Supplier<byte[]> json, Supplier<Table> table) {
            out.print(
                    this == JSON
                            ? new String(json.get(), StandardCharsets.UTF_8)
                            : TableFormat.valueOf(name()).render(table.get()));
            out.flush();
        }

        /**
         * Prints JSON in UTF-8, several tables, or as CSV one.
         *
         * @param tables for people
         * @param tidy all numbers in one table
         */
        void print(PrintWriter out, Supplier<byte[]> json, List<Table> tables, Table tidy) {
            out.print(
                    switch (this) {
                        case JSON -> new String(json.get(), StandardCharsets.UTF_8);
                        case CSV -> TableFormat.CSV.render(tidy);
                        default ->
                            String.join(
                                    "\n",
                                    tables.stream()
                                            .map(TableFormat.valueOf(name())::render)
                                            .toList());
                    });
            out.flush();
        }
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "What to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TABLE;

    @Option(names = "--intervals", description = "Print means and PSI with their intervals.")
    private boolean intervals;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            description = {
                "Colour in tables: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, on a terminal unless",
                "NO_COLOR is set)."
            })
    private Terminal.Colour colour = Terminal.Colour.AUTO;

    /** Prints results. */
    void print(List<Result> results, PrintWriter out) {
        switch (format) {
            case JSON -> out.print(new String(ResultFile.toBytes(results), StandardCharsets.UTF_8));
            case CSV -> out.print(TableFormat.CSV.render(ProfileTables.tidy(results)));
            default -> out.print(tables(results, TableFormat.valueOf(format.name())));
        }
        out.flush();
    }

    private String tables(List<Result> results, TableFormat format) {
        List<String> texts = new ArrayList<>();
        for (Table table : ProfileTables.of(results, intervals)) {
            texts.add(format.render(table, Terminal.look(colour)));
        }
        return String.join("\n", texts);
    }
}
