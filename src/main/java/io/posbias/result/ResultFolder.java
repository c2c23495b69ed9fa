package io.posbias.result;

import io.posbias.FileNames;
import io.posbias.PosbiasException;
import io.posbias.Staging;
import io.posbias.measure.PlacedScores;
import io.posbias.measure.Placement;
import io.posbias.measure.Scores;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.TrecRunWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folder of one cell: {@code run.trec.gz}, {@code queries.csv}, {@code buckets.csv}, where it was asked for {@code
 * content-fixed.csv}, and, written last so that it
 * vouches for the others, {@code result.json}.
 *
 * @param path the folder
 */
public record ResultFolder(Path path) {
    /** The run. */
    public static final String RUN = "run.trec.gz";
    /** Where cells go unless told otherwise, from the working folder. */
    public static final Path ROOT = Path.of("results");

    /**
     * The folder of a cell among others.
     *
     * @throws PosbiasException if a name leads out of {@code root}
     */
    public static Path of(Path root, String dataset, String model) {
        return FileNames.directlyIn(FileNames.inside(root, dataset), model);
    }

    /**
     * The result that an earlier run left here.
     *
     * @return empty when there is none
     * @throws PosbiasException when there is one of other settings, another recipe or another version of the benchmark:
     *     it is not overwritten unasked
     */
    public Optional<Result> finished(
            EvaluatedModel model, String dataset, Map<String, String> datasetSha256, Settings settings) {
        Path file = path.resolve(ResultFile.NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<Result> results = ResultFile.read(file);
        Result found = results.size() == 1 ? results.getFirst() : null;
        if (found == null
                || !found.model().equals(model.name())
                || !found.dataset().equals(dataset)) {
            throw otherwise("belongs to another model or dataset");
        }
        if (!found.recipeSha256().equals(model.sha256())) {
            throw otherwise("was made with another recipe, other model files or another run of the same name");
        }
        if (!found.family().equals(model.family())) {
            throw otherwise("says family " + found.family() + ", not " + model.family());
        }
        if (!found.datasetSha256().equals(datasetSha256)) {
            throw otherwise("was made with other files of the dataset");
        }
        boolean more = found.settings().contentFixed() != null && settings.contentFixed() == null;
        if (!found.settings().plain().equals(settings.plain())) {
            throw otherwise("was made with other settings (" + found.settings() + ", now " + settings + ")");
        }
        // A result that only lacks what is asked for now is made again; one that has more is as good.
        return found.settings().equals(settings) || more ? Optional.of(found) : Optional.empty();
    }

    /** The same, empty also where there is another result. */
    public Optional<Result> sameMaking(
            EvaluatedModel model, String dataset, Map<String, String> datasetSha256, Settings settings) {
        try {
            return finished(model, dataset, datasetSha256, settings);
        } catch (PosbiasException other) {
            return Optional.empty();
        }
    }

    /** What to say of such a result. */
    public String finishedBefore(Result result) {
        return result.model() + " on " + result.dataset() + ": finished before, see " + path
                + " (--overwrite computes it again)";
    }

    private PosbiasException otherwise(String reason) {
        return ModelFolders.other(path, reason);
    }

    /**
     * Writes all files, whole or not at all.
     *
     * @param places what queries score with their evidence elsewhere; empty for no such file
     */
    public void write(
            Result result, Run run, Scores scores, Placement placement, List<PlacedScores> places, int threads) {
        try (Staging staging = Staging.within(path)) {
            Path folder = staging.folder();
            TrecRunWriter.write(folder.resolve(RUN), run, result.model(), threads);
            if (!places.isEmpty()) {
                CsvFiles.write(folder.resolve(PlacesFile.NAME), PlacesFile.table(places));
            }
            write(staging, result, scores, placement);
        }
    }

    /** Writes all files but the run, which exists elsewhere. */
    public void write(Result result, Scores scores, Placement placement) {
        try (Staging staging = Staging.within(path)) {
            write(staging, result, scores, placement);
        }
    }

    private static void write(Staging staging, Result result, Scores scores, Placement placement) {
        Path folder = staging.folder();
        CsvFiles.writeQueries(folder.resolve(CsvFiles.QUERIES), scores, placement);
        CsvFiles.writeBuckets(folder.resolve(CsvFiles.BUCKETS), result);
        ResultFile.write(folder.resolve(ResultFile.NAME), List.of(result));
        staging.commitFiles(ResultFile.NAME);
    }
}
