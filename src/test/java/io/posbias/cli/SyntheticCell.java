package io.posbias.cli;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profiler;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.QueryCounts;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.Retrieval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Finished cells with scores made up query by query; evidence lies evenly in the buckets, query i in bucket i mod n. */
public final class SyntheticCell {
    private static final int TEXT_LENGTH = 1000;

    public String model = "model";
    public String dataset = "made-up";
    String recipeSha256 = "ab".repeat(32);
    String datasetSha256 = "cd".repeat(32);
    String measure = "nDCG@10";
    public String idPrefix = "q";
    int k1 = 1;
    public int buckets = 6;

    final Map<String, Object> recipe = new LinkedHashMap<>();

    private final int queries;

    public SyntheticCell(int queries) {
        this.queries = queries;
    }

    static double[] scores(int queries) {
        SplittableRandom random = new SplittableRandom(5);
        double[] scores = new double[queries];
        for (int i = 0; i < queries; i++) {
            scores[i] = random.nextInt(5) / 4.0 * 0.8 + 0.2;
        }
        return scores;
    }

    public Path write(Path folder, IntToDoubleFunction score) throws IOException {
        Files.createDirectories(folder);
        List<Query> list = new ArrayList<>();
        double[] values = new double[queries];
        for (int i = 0; i < queries; i++) {
            int start = (int) ((i % buckets + 0.5) * TEXT_LENGTH / buckets);
            list.add(new Query(
                    idPrefix + i, "?", new Evidence(start, start, TEXT_LENGTH, Evidence.UNKNOWN, List.of(), null)));
            values[i] = score.applyAsDouble(i);
        }
        List<Measure> measures = List.of(Measures.parse(measure));
        Scores scores = new Scores(list, measures, new double[][] {values});
        Bucketing bucketing = Bucketing.parse("relative:" + buckets);
        QueryBuckets placement = QueryBuckets.of(list, bucketing);
        SequencedMap<String, @Nullable Object> fields = new LinkedHashMap<>(recipe);
        fields.put("name", model);
        fields.put("k1", k1);
        Settings settings = Settings.USUAL
                .withMeasures(measures)
                .withBuckets(bucketing)
                .withDraws(100)
                .withSeed(1)
                .withCluster(Clustering.By.NONE);
        Result result = new Result(
                model,
                "dense",
                dataset,
                new QueryCounts(queries, 0, 0, 0, 0, null, null, null, null),
                new Profiler(settings, 1).profiles(scores, placement),
                Retrieval.NONE,
                new Provenance(
                        settings,
                        fields,
                        recipeSha256,
                        Map.of("corpus.jsonl", datasetSha256),
                        List.of(),
                        null,
                        Map.of(),
                        Map.of(),
                        Map.of()));
        try (Staging staging = new ResultFolder(folder).staging(Sessions.shared())) {
            ResultFolder.write(
                    staging, new CellQueries(result, scores, placement, SearchFacts.NONE, List.of()), null, 1);
        }
        // Without digests, so that tests can change the files.
        ResultFile.write(folder.resolve(ResultFile.NAME), List.of(result));
        return folder;
    }
}
