package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.report.profile.ProfileTables;
import io.posbias.result.CsvFiles;
import io.posbias.result.Result;
import io.posbias.result.ResultFile;
import io.posbias.table.Look;
import io.posbias.table.TableFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Option;

/** What goes to stdout of results; shared by {@code eval}, {@code score} and {@code pool}. */
public final class PrintOptions {
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
    public void print(List<Result> results, PrintWriter out, Session session) {
        out.print(
                switch (format) {
                    case JSON -> new String(ResultFile.toBytes(results), StandardCharsets.UTF_8);
                    case CSV -> TableFormat.CSV.render(CsvFiles.buckets(results));
                    default -> tables(results, session);
                });
        out.flush();
    }

    private String tables(List<Result> results, Session session) {
        Look look = Terminal.look(colour, session.environment());
        return String.join(
                "\n",
                ProfileTables.of(results, intervals).stream()
                        .map(table -> format.ofTables().render(table, look))
                        .toList());
    }
}
