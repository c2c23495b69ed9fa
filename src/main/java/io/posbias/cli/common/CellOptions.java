package io.posbias.cli.common;

import io.posbias.Session;
import io.posbias.report.profile.ProfileTables;
import io.posbias.result.CsvFiles;
import io.posbias.result.Result;
import io.posbias.result.ResultFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the files of cells go, --out for one cell and --results for many, and what is printed of them. */
public final class CellOptions extends ResultsOptions {
    @Heading("Output:")
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder of the files themselves, for one model on one dataset.")
    private @Nullable Path output;

    @Option(names = "--intervals", description = "Print means with their intervals.")
    private boolean intervals;

    @Heading("Statistics:")
    @Option(
            names = "--stats",
            description = "Also print the statistics of PSI and direction: corrections, noise, slope, contrasts.")
    private boolean statistics;

    /** The earlier name. */
    @Option(names = "--output", hidden = true)
    void earlierName(Path folder) {
        output = folder;
    }

    @Override
    public void check(int cells) {
        BaseCommand.refuse(output != null && super.given(), "give --out or --results, not both");
        BaseCommand.refuse(
                output != null && cells > 1,
                "--out is the folder of one cell, and these are " + cells + ": give --results " + output
                        + ", which will hold DATASET/MODEL for each");
        BaseCommand.isNoFile("--out", output);
    }

    @Override
    public boolean given() {
        return output != null || super.given();
    }

    /** Whether --out named the folder. */
    public boolean namesFolder() {
        return output != null;
    }

    @Override
    public Path folder(String dataset, String model) {
        return output == null ? super.folder(dataset, model) : output;
    }

    /**
     * What is printed of results.
     *
     * @param blind results of models that cannot see positions, in tables only
     */
    public String text(List<Result> results, List<Result> blind, Session session) {
        return text(
                () -> ResultFile.toBytes(results),
                () -> ProfileTables.of(results, blind, new ProfileTables.Content(intervals, statistics, detail())),
                () -> CsvFiles.buckets(results),
                session);
    }
}
