package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.FixedVectors;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.rank.Ranking;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HnswSearchTest {
    @TempDir
    Path temp;

    private static float[][] units(int count, int dimension, long seed) {
        Random random = new Random(seed);
        float[][] vectors = new float[count][dimension];
        for (float[] vector : vectors) {
            double squares = 0;
            for (int i = 0; i < dimension; i++) {
                vector[i] = (float) random.nextGaussian();
                squares += vector[i] * vector[i];
            }
            for (int i = 0; i < dimension; i++) {
                vector[i] = (float) (vector[i] / Math.sqrt(squares));
            }
        }
        return vectors;
    }

    private static VectorSettings settings(String more) {
        Fields fields = Json.parseYaml(Path.of("x"), ("search: hnsw\n" + more).getBytes(StandardCharsets.UTF_8));
        return Json.settings(fields, VectorSettings.class);
    }

    private static Engine engine(int threads) {
        return Engine.quiet(threads, Sessions.shared());
    }

    private static ExactSearch exact(Vectors passages) {
        return new ExactSearch(OnnxRuntime.onCpu(Sessions.shared()), 1, AllPassages.of(passages), false);
    }

    private static Ranking[] search(VectorSettings settings, Vectors queries, Vectors passages, int threads) {
        try (HnswSearch search = HnswSearch.build(settings, exact(passages), engine(threads), "")) {
            return search.search(queries, 10, Progress.NONE.start("", 0));
        }
    }

    /** Lucene's own limit is 1,024 dimensions. */
    @ParameterizedTest
    @CsvSource({"16, ''", "1536, ''", "16, 'similarity: dot'"})
    void findsNearlyAllOfTheExactBest(int dimension, String more) {
        Vectors passages = FixedVectors.of(temp.resolve("p"), units(600, dimension, 1));
        Vectors queries = FixedVectors.of(temp.resolve("q"), units(50, dimension, 2));
        Ranking[] found = search(settings(more), queries, passages, 2);
        int hits = 0;
        try (ExactSearch exact = exact(passages)) {
            Ranking[] best = exact.search(queries, 10, Progress.NONE.start("", 0));
            for (int q = 0; q < best.length; q++) {
                assertThat(found[q].size()).isEqualTo(10);
                for (int passage : best[q].passages()) {
                    for (int own : found[q].passages()) {
                        hits += own == passage ? 1 : 0;
                    }
                }
            }
        }
        assertThat(hits / 500.0).isBetween(0.9, 1.0);
    }

    @Test
    void theSameCorpusGivesTheSameRankings() {
        Vectors passages = FixedVectors.of(temp.resolve("p"), units(800, 32, 3));
        Vectors queries = FixedVectors.of(temp.resolve("q"), units(40, 32, 4));
        VectorSettings coarse = settings("hnsw: {m: 4, ef-construction: 8, ef: 10}");
        Ranking[] one = search(coarse, queries, passages, 1);
        Ranking[] two = search(coarse, queries, passages, 2);
        for (int q = 0; q < one.length; q++) {
            assertThat(two[q].passages()).isEqualTo(one[q].passages());
        }
    }

    /** Lucene writes a segment when its memory is full; the graph is one, and passages keep their ordinals. */
    @Test
    void moreVectorsThanFitInMemoryAreOneGraph() {
        float[][] corpus = units(3_000, 32, 5);
        Vectors passages = FixedVectors.of(temp.resolve("p"), corpus);
        Vectors queries = FixedVectors.of(temp.resolve("q"), Arrays.copyOfRange(corpus, 1_000, 1_050));
        try (HnswSearch search = HnswSearch.build(settings(""), exact(passages), engine(1), "", 0.2)) {
            assertThat(search.segments()).isEqualTo(1);
            Ranking[] found = search.search(queries, 10, Progress.NONE.start("", 0));
            for (int q = 0; q < found.length; q++) {
                assertThat(found[q].passage(0)).isEqualTo(1_000 + q);
            }
        }
    }

    /** A fusion reads whole rankings: one passage that is missing would have no score. */
    @Test
    void aSearchForAllPassagesMissesNone() {
        Vectors passages = FixedVectors.of(temp.resolve("p"), units(2_000, 32, 6));
        Vectors queries = FixedVectors.of(temp.resolve("q"), units(5, 32, 7));
        VectorSettings coarse = settings("hnsw: {m: 2, ef-construction: 2, ef: 1}");
        try (HnswSearch search = HnswSearch.build(coarse, exact(passages), engine(1), "")) {
            for (Ranking ranking : search.search(queries, 2_000, Progress.NONE.start("", 0))) {
                assertThat(ranking.size()).isEqualTo(2_000);
            }
        }
    }

    /** A search that looks at hardly anything says so. */
    @ParameterizedTest
    @CsvSource({"'', 0.999, 1.0", "'hnsw: {m: 2, ef-construction: 2, ef: 1}', 0.01, 0.95"})
    void recallIsReported(String hnsw, double least, double most) throws IOException {
        Random random = new Random(1);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            words.add("w" + i);
        }
        StringBuilder corpus = new StringBuilder();
        StringBuilder queries = new StringBuilder();
        StringBuilder qrels = new StringBuilder("query-id\tcorpus-id\tscore\n");
        for (int i = 0; i < 1_200; i++) {
            corpus.append("{\"_id\": \"p").append(i).append("\", \"text\": \"");
            for (int w = 0; w < 12; w++) {
                corpus.append(words.get(random.nextInt(400))).append(' ');
            }
            corpus.append("\"}\n");
            if (i < 60) {
                queries.append("{\"_id\": \"q")
                        .append(i)
                        .append("\", \"text\": \"w")
                        .append(i)
                        .append("\"}\n");
                qrels.append("q").append(i).append("\tp").append(i).append("\t1\n");
            }
        }
        Path folder = temp.resolve("data");
        Files.createDirectories(folder.resolve("qrels"));
        Files.writeString(folder.resolve("dataset.yaml"), "name: made\nlanguage: en\nbucketing: thirds\n");
        Files.writeString(folder.resolve("corpus.jsonl"), corpus);
        Files.writeString(folder.resolve("queries.jsonl"), queries);
        Files.writeString(folder.resolve("qrels/test.tsv"), qrels);
        Dataset dataset = DatasetReader.open(folder);
        Path recipe = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 64)
                .write(temp.resolve("model"), WordTokenizer.words(String.join(" ", words)));
        Files.writeString(recipe, "search: hnsw\n" + hnsw + "\n", StandardOpenOption.APPEND);
        try (Searcher searcher =
                RecipeBook.find(recipe.toString()).retriever().open(dataset, Engine.quiet(2, Sessions.in(temp)))) {
            Map<String, Double> stats =
                    searcher.search(dataset.judgedQueries(), 1).report().searchStats();
            assertThat(stats).containsOnlyKeys("hnsw_recall@1");
            assertThat(stats.get("hnsw_recall@1")).isBetween(least, most);
        }
    }
}
