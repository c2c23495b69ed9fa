package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models whose vectors or scores make no difference between texts: docs/faults.md. */
class TiesTest {
    /** The letter has the number 5, as [CLS] to [UNK] come first. */
    private static final int FIRST_WORD = WordTokenizer.SPECIAL.size();

    private static final int QUERIES = StandIns.WORDS.size();

    @TempDir
    Path temp;

    private Path data = Path.of("");

    @BeforeEach
    void write() {
        data = TinyBenchmark.ofWords(temp.resolve("data"), StandIns.WORDS);
    }

    private Cli.Ended eval(Object model, Object... more) {
        return new Posbias(temp, Map.of())
                .run(
                        "eval --draws 0 --blind none --model",
                        model,
                        "--dataset",
                        data,
                        "--out",
                        temp.resolve("out"),
                        more);
    }

    private Result result() {
        return ResultFile.read(temp.resolve("out/result.json")).getFirst();
    }

    /** A dense model with a table of vectors. */
    private Path dense(String name, float... table) throws IOException {
        Path folder = temp.resolve(name);
        StandIns.write(folder, StandIns.lookup(table), StandIns.PLAIN);
        Path recipe = folder.resolve("recipe.yaml");
        return Files.writeString(recipe, Files.readString(recipe).replace("name: stand-in", "name: " + name));
    }

    private static float[] all(float number) {
        float[] table = new float[2 * StandIns.VOCABULARY];
        Arrays.fill(table, number);
        return table;
    }

    @Test
    void vectorsThatAreAllZeroOrEqualAreRefused() throws IOException {
        for (float number : new float[] {0, 0.3f}) {
            eval(dense("flat", all(number))).fails(1, "flat", "same score", QUERIES + " queries", "models check");
            assertThat(temp.resolve("out/result.json")).doesNotExist();
        }
    }

    /** Sums over batches of other sizes may differ in the last bits. */
    @Test
    void vectorsThatAreEqualUpToRoundingAreRefused() throws IOException {
        float[] table = all(0.3f);
        for (int i = 0; i < table.length; i += 3) {
            table[i] = Math.nextUp(table[i]);
        }
        eval(dense("rounded", table)).fails(1, "rounded", "same score");
    }

    @Test
    void lateInteractionWithOneVectorIsRefused() throws IOException {
        OnnxGraph graph = new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("attention_mask", OnnxGraph.Type.INT64, "batch", "tokens")
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", all(1), StandIns.VOCABULARY, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("last_hidden_state"));
        Path recipe = StandInRerankers.write(
                temp.resolve("late"),
                "late",
                graph.toBytes(),
                WordTokenizer.of(StandIns.WORDS).toJson(),
                "kind: late-interaction\nfamily: late-interaction\nmax-tokens: 64\nquery-length: 8\n");
        eval(recipe).fails(1, "late", "same score");
    }

    @Test
    void aScorerWithOneScoreIsRefused() throws IOException {
        // A vocabulary in which no word counts.
        Path recipe = StandInRerankers.write(
                temp.resolve("cross"),
                "cross",
                StandInRerankers.overlap(FIRST_WORD, 1),
                WordTokenizer.of(List.of()).toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\nfirst-stage: "
                        + dense("first", StandIns.table(StandIns.VOCABULARY)) + "\n");
        eval(recipe).fails(1, "cross", "same score");
    }

    /** The ranks of a fusion differ. */
    @Test
    void aPartOfAFusionWithOneScoreIsRefused() throws IOException {
        Path fused = Files.writeString(
                temp.resolve("fused.yaml"),
                "name: both\nkind: fused\nmodel: " + dense("first", StandIns.table(StandIns.VOCABULARY)) + "\nwith: ["
                        + dense("flat", all(0)) + "]\n");
        eval(fused).fails(1, "flat", "same score");
    }

    @Test
    void aRunWithOneScoreIsRefused() throws IOException {
        StringBuilder run = new StringBuilder();
        for (String query : StandIns.WORDS) {
            for (int rank = 1; rank <= 3; rank++) {
                run.append("q" + query + " Q0 p" + StandIns.WORDS.get(rank) + " " + rank + " 1.0 mine\n");
            }
        }
        Path file = Files.writeString(temp.resolve("mine.trec"), run);
        new Posbias(temp, Map.of())
                .run("score --blind none --run", file, "--dataset", data)
                .fails(1, "mine", "same score", "scores of the run");
    }

    @Test
    void zeroVectorsAndTiesAreCounted() throws IOException {
        float[] table = StandIns.table(StandIns.VOCABULARY);
        // The special tokens add nothing, and "a" and "b" are zero.
        Arrays.fill(table, 0, 2 * (FIRST_WORD + 2), 0);
        Path recipe = dense("some", table);
        Cli.Ended eval = eval(recipe);
        assertThat(eval.ok().err())
                .contains("note: some: zero vectors for 2 texts of the corpus")
                .contains("note: some: zero vectors for 2 queries")
                .contains("note: some: all ranked passages of 2 queries have the same score");
        Result result = result();
        assertThat(result.retrieval().searchStats())
                .containsEntry("zero_vectors", 2.0)
                .containsEntry("zero_query_vectors", 2.0);
        assertThat(result.queries().tied()).isEqualTo(2);
        assertThat(result.queries().alike()).isNull();
        // A finished cell tells the same, whatever is measured of its run.
        Cli.Ended again = eval(recipe, "--seed 7");
        assertThat(again.ok().err()).contains("measured from").contains("note: some: zero vectors for 2 texts");
    }

    @Test
    void aSoundModelHasNoNote() throws IOException {
        assertThat(eval(dense("sound", StandIns.table(StandIns.VOCABULARY)))
                        .ok()
                        .err())
                .doesNotContain("note: ");
        assertThat(result().queries().tied()).isNull();
    }

    /** A ranking that ignores the query may be wanted, as a baseline. */
    @Test
    void oneRankingForAllQueriesIsNoted() throws IOException {
        StringBuilder run = new StringBuilder();
        for (String query : StandIns.WORDS) {
            for (int rank = 1; rank <= 3; rank++) {
                run.append(
                        "q" + query + " Q0 p" + StandIns.WORDS.get(rank) + " " + rank + " " + (9 - rank) + " mine\n");
            }
        }
        Path file = Files.writeString(temp.resolve("mine.trec"), run);
        Cli.Ended score = new Posbias(temp, Map.of())
                .run("score --blind none --run", file, "--dataset", data, "--out", temp.resolve("out"))
                .ok();
        assertThat(score.err()).contains("note: mine ranks the same passages", QUERIES + " queries");
        assertThat(result().queries().alike()).isEqualTo(QUERIES);
    }

    @Test
    void aProbeTellsOfAModelWithOneScore() throws IOException {
        Path pairs = Files.writeString(temp.resolve("mine.jsonl"), """
                {"id": "1", "query": "a b", "text1": "a b c", "text2": "c d"}
                {"id": "2", "query": "c d", "text1": "c d e", "text2": "a e"}
                """);
        Posbias posbias = new Posbias(temp, Map.of());
        assertThat(posbias.run("probe run --model", dense("flat", all(0)), "--pairs", pairs)
                        .ok()
                        .err())
                .contains("note: flat gives all 4 texts the same score");
        assertThat(posbias.run(
                                "probe run --model",
                                dense("sound", StandIns.table(StandIns.VOCABULARY)),
                                "--pairs",
                                pairs)
                        .ok()
                        .err())
                .doesNotContain("same score");
    }
}
