package io.posbias.result;

import io.posbias.Checksums;
import io.posbias.FileNames;
import io.posbias.PosbiasException;
import io.posbias.Shutdown;
import io.posbias.Staging;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.measure.ScoresByPlace;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.trec.TrecRunWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Folder of one cell: {@code run.trec.gz}, {@code queries.csv}, {@code buckets.csv}, optionally {@code
 * content-fixed.csv}, and {@code result.json}, which is written last and contains the digests of the others.
 */
public record ResultFolder(Path path) {
    public static final String RUN = "run.trec.gz";

    static final List<String> FILES = List.of(RUN, CsvFiles.QUERIES, CsvFiles.BUCKETS, PlacesFile.NAME);

    /** Default folder of cells. */
    public static final Path ROOT = Path.of("results");

    /**
     * Returns the folder of a cell.
     *
     * @throws PosbiasException if a name leads out of {@code root}
     */
    public static Path of(Path root, String dataset, String model) {
        return FileNames.directlyIn(FileNames.inside(root, dataset), model);
    }

    /** Returns the cell in the folder; empty without a result. */
    public Optional<FinishedCell> earlier() {
        Path file = path.resolve(ResultFile.NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<Result> results = ResultFile.read(file);
        if (results.size() != 1) {
            throw otherwise("holds " + results.size() + " results where one was expected");
        }
        return Optional.of(new FinishedCell(path, results.getFirst()));
    }

    /** Reason why a result is not of a model on a benchmark; null if it is. */
    public static @Nullable String otherMaking(
            Result found, EvaluatedModel model, String dataset, Map<String, String> datasetSha256) {
        if (!found.model().equals(model.name()) || !found.dataset().equals(dataset)) {
            return "belongs to another model or dataset: " + found.model() + " on " + found.dataset();
        }
        List<Differences.Difference> fields = Differences.of(model.recipe(), found.recipe(), Recipe.LABELS);
        boolean same = model.sha256().isEmpty()
                ? fields.isEmpty()
                : found.provenance().recipeSha256().equals(model.sha256());
        if (!same) {
            return fields.isEmpty()
                    ? "was made with other model files"
                    : "was made with another recipe or run: " + Differences.said(fields);
        }
        if (!found.family().equals(model.family())) {
            return "says family " + found.family() + ", not " + model.family();
        }
        if (!found.provenance().datasetSha256().equals(datasetSha256)) {
            return "was made with other files of the dataset: "
                    + Differences.ofFiles(datasetSha256, found.provenance().datasetSha256());
        }
        return null;
    }

    /** Returns a note on a finished cell. */
    public String finishedBefore(FinishedCell cell) {
        String unchecked = cell.isChecked() ? "" : "; its files are not checked: an earlier version wrote no digests";
        return cell.name() + ": finished before, see " + path + " (--overwrite computes it again)" + unchecked;
    }

    /** Returns the error about a result that must not be replaced. */
    public PosbiasException otherwise(String reason) {
        return ModelFolders.other(path, reason);
    }

    /** Returns true if the folder has a result. */
    public boolean isFinished() {
        return Files.exists(path.resolve(ResultFile.NAME));
    }

    /**
     * Locks the folder against other processes until it is closed.
     *
     * @throws PosbiasException if another process has locked it
     */
    public Staging staging() {
        return Staging.within(path);
    }

    /**
     * Writes all files or none.
     *
     * @param places scores by place of the evidence; empty for none
     * @return the result with the digests of its files
     */
    public static Result write(
            Staging staging,
            Result result,
            Run run,
            Scores scores,
            QueryBuckets placement,
            List<ScoresByPlace> places,
            int threads) {
        Path folder = staging.folder();
        TrecRunWriter.write(folder.resolve(RUN), run, result.model(), threads);
        if (!places.isEmpty()) {
            CsvFiles.write(folder.resolve(PlacesFile.NAME), PlacesFile.table(places));
        }
        return write(staging, result, scores, placement, Map.of());
    }

    /**
     * Writes all files but those kept, like the run.
     *
     * @return the result with the digests of its files
     */
    public Result write(Result result, Scores scores, QueryBuckets placement, Map<String, String> kept) {
        try (Staging staging = staging()) {
            return write(staging, result, scores, placement, kept);
        }
    }

    private static Result write(
            Staging staging, Result result, Scores scores, QueryBuckets placement, Map<String, String> kept) {
        Path folder = staging.folder();
        CsvFiles.writeQueries(folder.resolve(CsvFiles.QUERIES), scores, placement);
        CsvFiles.writeBuckets(folder.resolve(CsvFiles.BUCKETS), result);
        Map<String, String> digests = new TreeMap<>(kept);
        for (String name : FILES) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                digests.put(name, Checksums.sha256(file));
            }
        }
        Result sealed = result.withFiles(digests);
        ResultFile.write(folder.resolve(ResultFile.NAME), List.of(sealed));
        staging.commitFiles(ResultFile.NAME);
        Shutdown.keeps("finished results");
        return sealed;
    }
}
