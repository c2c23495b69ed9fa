package io.posbias.score.position;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.result.ModelFolders;
import io.posbias.score.result.Origin;
import io.posbias.score.result.PlacesFile;
import io.posbias.score.result.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A model's result of {@code diagnose position} on disk.
 *
 * @param method of placing the evidence
 * @param settings measure, confidence, clusters and equivalence bounds of the diagnosis
 * @param rows scores of the queries
 */
public record StoredPositions(
        String model, String dataset, String method, Settings settings, List<ScoresByPlace> rows) {
    public StoredPositions {
        rows = List.copyOf(rows);
    }

    /**
     * Reads a result.
     *
     * @param path of its folder or of result.json
     * @return empty for results of other commands, and for missing ones
     * @throws UsageException if it is of another diagnosis
     */
    public static Optional<StoredPositions> read(Path path) {
        Path file = path.endsWith(ResultFile.NAME) ? path : path.resolve(ResultFile.NAME);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        Fields result = Json.readJson(file);
        if (!result.text("schema", "").equals(Origin.SCHEMA)) {
            return Optional.empty();
        }
        if (!result.has("position")) {
            throw new UsageException(
                    path + " is of another diagnosis than diagnose position, whose scores are by place");
        }
        Fields position = result.record("position");
        List<ScoresByPlace> rows = PlacesFile.read(file.resolveSibling(ModelFolders.SCORES));
        Settings settings = Settings.USUAL
                .withMeasures(List.of(Measures.parse(position.text("measure"))))
                .withConfidence(result.number("confidence"))
                .with(
                        "equivalence",
                        position.has("loss")
                                ? position.record("loss").number("equivalence", TestOutcome.EQUIVALENCE)
                                : TestOutcome.EQUIVALENCE);
        return Optional.of(new StoredPositions(
                result.text("model"),
                result.text("dataset"),
                position.text("method"),
                settings.withCluster(clusters(file, position, rows)),
                rows));
    }

    /** Returns true for the same queries at the same places, scored by the same measure. */
    public boolean hasPlacesOf(StoredPositions other) {
        return dataset.equals(other.dataset)
                && method.equals(other.method)
                && settings.measure().equals(other.settings.measure())
                && rows.getFirst().scores().length == other.rows.getFirst().scores().length
                && ids().equals(other.ids());
    }

    private List<String> ids() {
        return rows.stream().map(ScoresByPlace::query).toList();
    }

    /** The file has the number of clusters, and not what they are. */
    private static Clustering.By clusters(Path file, Fields position, List<ScoresByPlace> rows) {
        List<String> passages = rows.stream().map(ScoresByPlace::passage).toList();
        List<String> articles = rows.stream().map(ScoresByPlace::article).toList();
        boolean titled = articles.stream().anyMatch(article -> !article.isEmpty());
        return Stream.of(Clustering.By.values())
                .filter(by -> by != Clustering.By.ARTICLE || titled)
                .filter(by -> new Clustering(by, passages, articles).clusters().count() == position.integer("clusters"))
                .findFirst()
                .filter(by -> rows.size() == position.integer("queries"))
                .orElseThrow(
                        () -> new PosbiasException(file.resolveSibling(ModelFolders.SCORES) + " is not the file that "
                                + ResultFile.NAME + " was written with: make both again with --overwrite"));
    }
}
