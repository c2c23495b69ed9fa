package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.report.profile.ProfileTables;
import io.posbias.result.CsvFiles;
import io.posbias.result.Result;
import io.posbias.result.ResultFile;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What goes to stdout of results; shared by {@code eval}, {@code score} and {@code pool}. */
public final class PrintOptions {
    @Mixin
    private FormatOption form = new FormatOption();

    @Option(names = "--intervals", description = "Print means and PSI with their intervals.")
    private boolean intervals;

    @Heading("Statistics:")
    @Option(
            names = "--stats",
            description =
                    "Also print the statistics of PSI and direction: intervals, corrections, p-values, contrasts.")
    private boolean statistics;

    /** The form of everything that is printed. */
    public FormatOption form() {
        return form;
    }

    /** What is printed of results. */
    public String text(List<Result> results, Session session) {
        return text(results, List.of(), session);
    }

    /**
     * What is printed of results.
     *
     * @param blind results of models that cannot see positions, in tables only
     */
    public String text(List<Result> results, List<Result> blind, Session session) {
        return form.text(
                () -> ResultFile.toBytes(results),
                () -> ProfileTables.of(results, blind, intervals, statistics),
                () -> CsvFiles.buckets(results),
                session);
    }
}
