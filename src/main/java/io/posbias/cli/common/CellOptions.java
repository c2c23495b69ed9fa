package io.posbias.cli.common;

import io.posbias.base.process.Session;
import io.posbias.report.profile.BlindRow;
import io.posbias.report.profile.CommandWords;
import io.posbias.report.profile.ProfileTables;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Output of cells: --out for one, --results for many, and the printed tables. */
public final class CellOptions extends ResultsOptions {
    @Heading("Output:")
    @Option(names = "--out", paramLabel = "DIR", description = "Output folder for one model on one dataset.")
    private @Nullable Path out;

    @Option(names = "--intervals", description = "Intervals of means.")
    private boolean intervals;

    @Heading("Statistics:")
    @Option(
            names = "--stats",
            description = "Extra table of the statistics of PSI and direction: corrections, noise, slope, contrasts.")
    private boolean statistics;

    @Override
    public void check(int cells) {
        BaseCommand.refuse(out != null && super.given(), "give --out or --results, not both");
        BaseCommand.refuse(
                out != null && cells > 1,
                "--out is the folder of one cell, but there are " + cells + ": give --results " + out
                        + " for subfolders DATASET/MODEL");
        BaseCommand.isWritable("--out", out);
    }

    @Override
    public boolean given() {
        return out != null || super.given();
    }

    public boolean namesFolder() {
        return out != null;
    }

    @Override
    public Path folder(String dataset, String model) {
        return out == null ? super.folder(dataset, model) : out;
    }

    /**
     * Renders results.
     *
     * @param blind of blind models, for tables only
     * @param models what named the models whose names are others
     * @param datasets likewise the benchmarks
     */
    public String text(
            List<Result> results,
            List<CellQueries> blind,
            Map<String, String> models,
            Map<String, String> datasets,
            Session session) {
        CommandWords words = new CommandWords(
                models,
                datasets,
                result -> folder(result.dataset(), result.model()).toString());
        List<BlindRow> beside = blind.stream()
                .map(queries -> BlindRow.of(queries, result -> folder(result.dataset(), result.model())))
                .toList();
        return text(
                () -> ResultFile.document(results),
                () -> ProfileTables.of(
                        results, beside, new ProfileTables.Content(intervals, statistics, detail(), words)),
                () -> CsvFiles.buckets(results),
                session);
    }
}
