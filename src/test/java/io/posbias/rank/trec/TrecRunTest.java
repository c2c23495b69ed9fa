package io.posbias.rank.trec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.PosbiasException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrecRunTest {
    private static final RunReader.Options OPTIONS = new RunReader.Options(false, "test", false, true);

    private static final Map.Entry<String, Double> LACKS_ONE = Map.entry("queries_without_hits", 1.0);

    @TempDir
    Path temp;

    private Dataset dataset;

    @BeforeEach
    void openBenchmark() {
        dataset = TinyBenchmark.in(temp.resolve("tiny")).open();
    }

    private RunReader.Read read(String lines) throws IOException {
        return RunReader.read(Files.writeString(temp.resolve("run.trec"), lines), dataset, OPTIONS);
    }

    private static List<String> ids(Run run, String query) {
        List<String> ids = new ArrayList<>();
        Ranking ranking = run.of(query);
        for (int rank = 0; rank < ranking.size(); rank++) {
            ids.add(run.passages().id(ranking.passage(rank)));
        }
        return ids;
    }

    @Test
    void scoresDecideTheOrderAndTiesGoToTheHigherId() throws IOException {
        Run run = read("q1 Q0 p1 1 0.5 x\nq1\tQ0\tp3\t2\t0.7\tx\r\n\nq2 Q0 p2 1 1 x\nq1 Q0 p2 3 5e-1 x")
                .run();
        assertThat(ids(run, "q1")).containsExactly("p3", "p2", "p1");
        assertThat(ids(run, "q2")).containsExactly("p2");
        assertThat(run.hits()).isEqualTo(4);
    }

    @Test
    void linesAsOtherSystemsWriteThemAreRead() throws IOException {
        Run run = read("\uFEFFq1  Q0 p1   0 0.5\nq1\tQ0\tp2\t1\t0.7\n").run();
        assertThat(ids(run, "q1")).containsExactly("p2", "p1");
    }

    /** Each has the passages p2 and p1 for q1, by score or in this order. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"query-id\": \"q1\", \"corpus-id\": \"p1\", \"score\": 0.5}\n{\"query-id\": \"q1\", \"corpus-id\": \"p2\", \"score\": 0.7}",
                "[{\"qid\": \"q1\", \"docno\": \"p2\", \"rank\": 1}, {\"qid\": \"q1\", \"docno\": \"p1\", \"rank\": 2}]",
                "{\"query_id\": \"q1\", \"hits\": {\"hits\": [{\"_id\": \"p2\", \"_score\": 7}, {\"_id\": \"p1\", \"_score\": 5}]}}",
                "{\"q1\": {\"took\": 3, \"hits\": {\"max_score\": 7, \"hits\": [{\"_id\": \"p2\", \"_score\": 7}, {\"_id\": \"p1\", \"_score\": 5}]}}}",
                "{\"q1\": [\"p2\", \"p1\"]}",
                "\uFEFF{\"q1\": {\"p1\": 0.5, \"p2\": 0.7}}",
                "\uFEFF[{\"qid\": \"q1\", \"docno\": \"p2\", \"rank\": 1}, {\"qid\": \"q1\", \"docno\": \"p1\", \"rank\": 2}]",
                "{\"q1\": [[\"p2\", 7], [\"p1\", 5]]}",
                "{\"query_id\": \"q1\", \"nodes\": [{\"node\": {\"id_\": \"p2\"}, \"score\": 7}, {\"node\": {\"id_\": \"p1\"}, \"score\": 5}]}",
                "\"qid\" \"q0\" \"docno\" \"rank\" \"score\" \"tag\"\n\"1\" \"q1\" \"Q0\" \"p2\" 1 7 \"x\"\n\"2\" \"q1\" \"Q0\" \"p1\" 2 5 \"x\"",
                "\"1\" \"q1\" \"Q0\" \"p2\" 1 7 \"x\"\n\"2\" \"q1\" \"Q0\" \"p1\" 2 5 \"x\"",
                "qid,docno,rank,score\nq1,p2,1,7\nq1,p1,2,5",
                "\"\",\"qid\",\"docno\",\"score\"\n\"1\",\"q1\",\"p2\",7\n\"2\",\"q1\",\"p1\",5",
                "qid\tdocid\tdocno\trank\tscore\tquery\nq1\t0\tp2\t1\t7\twhat is\nq1\t1\tp1\t2\t5\twhat is",
            })
    void runsAsRowsAreRead(String text) throws IOException {
        assertThat(ids(read(text).run(), "q1")).containsExactly("p2", "p1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"responses\": [{\"hits\": {\"hits\": [{\"_id\": \"p2\", \"_score\": 7}]}}]}",
                "{\"query-id\": \"q1\", \"passage\": \"p1\"}",
                "{\"query-id\": \"q1\", \"corpus-id\": \"p1\"}",
                "qid,docno,score\nq1,p1,7,8,9",
            })
    void rowsWithoutQueryPassageOrScoreAreRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(BadInputException.class);
    }

    @Test
    void aQueryOutsideTheRunFoundNothing() throws IOException {
        assertThat(read("q1 Q0 p1 1 0.5 x\n").run().of("q2").size()).isZero();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskIsOneLine() throws IOException {
        Run run = read("q1 Q0 p1 1 0.5 x\n").run();
        assertThatThrownBy(() -> TrecRunWriter.write(Path.of("/dev/full"), run, "x", 2))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("/dev/full", "no space left");
    }

    @Test
    void negativeScoresAreCountedAndRankBelow() throws IOException {
        RunReader.Read read = read("q1 Q0 p1 1 -0.5 x\nq1 Q0 p2 2 -7 x\nq1 Q0 p3 3 0 x\n");
        assertThat(ids(read.run(), "q1")).containsExactly("p3", "p1", "p2");
        assertThat(read.negative()).isEqualTo(2);
    }

    @Test
    void doublesThatAreTheSameFloatAreTied() throws IOException {
        assertThat(ids(
                        read("q1 Q0 p1 1 0.30000000000000004 x\nq1 Q0 p2 2 0.3 x\n")
                                .run(),
                        "q1"))
                .containsExactly("p2", "p1");
    }

    @Test
    void queriesThatAreNotJudgedAreCounted() throws IOException {
        RunReader.Read read = read("q1 Q0 p1 1 2 x\nq9 Q0 other 1 2 x\n");
        assertThat(read.run().queries()).containsExactly("q1");
        assertThat(read.stats()).containsOnly(Map.entry("queries_not_judged", 1.0), LACKS_ONE);
    }

    @Test
    void aRunThatLacksManyQueriesIsTakenIfAsked() throws IOException {
        Path file = Files.writeString(temp.resolve("run.trec"), "q1 Q0 p1 1 2 x\n");
        RunReader.Options unasked = new RunReader.Options(false, "test", false, false);
        assertThatThrownBy(() -> RunReader.read(file, dataset, unasked))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("1 of 2 judged queries", "--partial");
        // A part of a benchmark may ask for the other queries.
        RunReader.Options part = new RunReader.Options(false, "test", true, false);
        assertThat(RunReader.read(file, dataset, part).stats()).isEmpty();
        Files.writeString(file, "q2 Q0 p1 1 2 x\n", StandardOpenOption.APPEND);
        assertThat(RunReader.read(file, dataset, unasked).stats()).isEmpty();
    }

    @Test
    void contradictionsOfScoresAndRanksAreCounted() throws IOException {
        assertThat(read("q1 Q0 p1 1 3 x\nq1 Q0 p2 2 3 x\nq2 Q0 p1 0 2 x\nq2 Q0 p2 0 3 x\n")
                        .stats())
                .isEmpty();
        assertThat(read("q1 Q0 p2 2 0.9 x\nq1 Q0 p1 1 0.1 x\n").stats())
                .containsOnly(Map.entry("queries_with_rising_scores", 1.0), LACKS_ONE);
        assertThat(read("q1 Q0 p2 2 0.9 x\nq1 Q0 p1 1 0.5 x\nq1 Q0 p3 3 0.1 x\n")
                        .stats())
                .containsOnly(Map.entry("queries_with_contradicting_ranks", 1.0), LACKS_ONE);
        Path json = Files.writeString(temp.resolve("run.txt"), "\n{\"q1\": {\"p1\": 1, \"p2\": 2, \"p3\": 3}}");
        assertThat(RunReader.read(json, dataset, OPTIONS).stats())
                .containsOnly(Map.entry("queries_with_rising_scores", 1.0), LACKS_ONE);
    }

    @Test
    void ranksCountIfAskedFor() throws IOException {
        Path file = Files.writeString(temp.resolve("run.trec"), "q1 Q0 p1 0 0.1 x\nq1 Q0 p2 7 0.2 x\n");
        RunReader.Options byRank = new RunReader.Options(true, "test", false, true);
        RunReader.Read read = RunReader.read(file, dataset, byRank);
        assertThat(ids(read.run(), "q1")).containsExactly("p1", "p2");
        assertThat(read.stats()).containsOnly(LACKS_ONE);
        assertThat(read.negative()).isZero();
        Files.writeString(file, "q1 Q0 p1 1 0.1 x\nq1 Q0 p2 1 0.2 x\n");
        assertThatThrownBy(() -> RunReader.read(file, dataset, byRank))
                .hasMessageContaining("one rank for query \"q1\"");
        Path json = Files.writeString(temp.resolve("run.json"), "{\"q1\": {\"p1\": 1}}");
        assertThatThrownBy(() -> RunReader.read(json, dataset, byRank)).hasMessageContaining("column of ranks");
    }

    @Test
    void threeColumnsAreRanksOrScores() throws IOException {
        assertThat(ids(read("q1\tp1\t1\nq1\tp2\t2\nq2\tp3\t1\n").run(), "q1")).containsExactly("p1", "p2");
        assertThat(ids(read("q1\tp1\t1.5\nq1\tp2\t2\n").run(), "q1")).containsExactly("p2", "p1");
        assertThatThrownBy(() -> read("q1 p1 12\nq1 p2 7\n")).hasMessageContaining("neither a rank");
    }

    @Test
    void onePartOfPredictionsOfMtebIsTaken() throws IOException {
        String meta = "{\"mteb_model_meta\": {\"model_name\": \"a/b\", \"n\": [1]}, ";
        Path file =
                Files.writeString(temp.resolve("run.json"), meta + "\"default\": {\"dev\": {\"q1\": {\"p1\": 1}}}}");
        assertThat(ids(RunReader.read(file, dataset, OPTIONS).run(), "q1")).containsExactly("p1");
        Files.writeString(
                file, meta + "\"default\": {\"dev\": {\"q1\": {\"p1\": 1}}, \"test\": {\"q1\": {\"p2\": 1}}}}");
        assertThat(ids(RunReader.read(file, dataset, OPTIONS).run(), "q1")).containsExactly("p2");
        assertThatThrownBy(() -> RunReader.read(file, dataset, new RunReader.Options(false, "train", false, true)))
                .hasMessageContainingAll("default/dev, default/test", "--split");
    }

    private void refuses(String lines, String message) {
        assertThatThrownBy(() -> read(lines))
                .isInstanceOf(PosbiasException.class)
                .hasMessage(message.replace("RUN", temp.resolve("run.trec").toString()));
    }

    @Test
    void refusesWhatIsNoRun() {
        refuses("", "RUN: is empty; a run has one line per hit");
        refuses(
                "q1 Q0 p1 1 0.5 x\nq1 Q0 p2 2\n",
                "RUN:2: 4 columns; a TREC run has six, query Q0 passage rank score tag, and MS MARCO's three, query"
                        + " passage rank");
        refuses(
                "q7 Q0 p1 1 0.5 x\n\nq9 Q0 p2 2 0.4 x\n",
                "RUN: has 2 queries; the benchmark has 0 of them and judges 0; another is \"q7\"; is this a run of"
                        + " another dataset?");
        refuses("q1 Q0 p9 1 0.5 x\n", "RUN:1: passage \"p9\" is not in the corpus; is this a run of another dataset?");
        refuses("q1 Q0 p1 1 NaN x\n", "RUN:1: score \"NaN\"; scores must be finite numbers");
        refuses("q1 Q0 p1 1 1e99 x\n", "RUN:1: score \"1e99\"; scores must be finite numbers");
        refuses("q1 Q0 p1 1 high x\n", "RUN:1: score \"high\"; scores must be finite numbers");
        refuses(
                "q1 Q0 p1 1 2 x\nq2 Q0 p1 1 2 x\nq1 Q0 p1 1 1 x\n",
                "RUN: ranks passage \"p1\" twice for query \"q1\"; each passage may occur once");
    }

    /** As BEIR and ranx write runs: json.dump of a dict of dicts. */
    @Test
    void aRunInJsonIsTheRunInLines() throws IOException {
        Run lines = read("q1 Q0 p1 1 0.5 x\nq1 Q0 p3 2 0.7 x\nq2 Q0 p2 1 1 x\nq1 Q0 p2 3 -5e-1 x\n")
                .run();
        byte[] json = "{\"q1\": {\"p1\": 0.5, \"p3\": 0.7, \"p2\": -5e-1}, \"q2\": {\"p2\": 1}}"
                .getBytes(StandardCharsets.UTF_8);
        Path zipped = temp.resolve("run.json.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write(json);
        }
        for (Path file : List.of(Files.write(temp.resolve("run.json"), json), zipped)) {
            RunReader.Read read = RunReader.read(file, dataset, OPTIONS);
            assertThat(read.negative()).isEqualTo(1);
            for (String query : List.of("q1", "q2")) {
                assertThat(ids(read.run(), query)).isEqualTo(ids(lines, query));
            }
        }
        Files.write(zipped, Arrays.copyOf(Files.readAllBytes(zipped), 30));
        assertThatThrownBy(() -> RunReader.read(zipped, dataset, OPTIONS))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("run.json.gz:", "cut off");
    }

    private void refusesJson(String json, String message) throws IOException {
        Path file = Files.writeString(temp.resolve("run.json"), json);
        assertThatThrownBy(() -> RunReader.read(file, dataset, OPTIONS))
                .isInstanceOf(PosbiasException.class)
                .hasMessageStartingWith(file + message);
    }

    @Test
    void refusesWhatIsNoRunInJson() throws IOException {
        refusesJson("{}", ": is empty");
        refusesJson("[1]", ":1: a record was expected; a run in JSON is {\"query\": {\"passage\": score}}, or");
        refusesJson("{\"q1\": 3}", ":1: a record was expected");
        refusesJson("{\"q1\": {\"p1\":\n\"0.5\"}}", ":2: score of passage \"p1\" is not a number");
        refusesJson("{\"q1\": {\"p1\": null}}", ":1: score of passage \"p1\" is not a number");
        refusesJson("{\"q1\": {\"p1\": NaN}}", ":1: not JSON");
        refusesJson("{\"q1\": {\"p1\": 1e999}}", ":1: score \"1e999\"; scores must be finite numbers");
        refusesJson("{\"q1\": {\n\"p9\": 1}}", ":2: passage \"p9\" is not in the corpus; is this a run of another");
        refusesJson("{\"q1\": {\"p1\": 1, \"p1\": 2}}", ":1: not JSON");
        refusesJson("{\"q1\": {\"p1\": 1}, \"q1\": {\"p2\": 2}}", ":1: not JSON");
        refusesJson("{\"q1\": {\"p1\": 1}} {}", ":1: contains more than one record");
        refusesJson("{\"q1\": {\"p1\": 1}", ":1: not JSON");
    }

    @Test
    void namesTheLineOfAnErrorFarIntoAFile() {
        String lines = "q1 Q0 p1 1 0.5 a-tag-that-makes-lines-longer-than-they-need-to-be\n".repeat(30_000);
        // The first repetition is a duplicate, which is only found at the end; the broken line is found first.
        refuses(lines + "q1 Q0 p1 1 oops x\n", "RUN:30001: score \"oops\"; scores must be finite numbers");
    }

    @Test
    void refusesMissingAndCorruptFiles() throws IOException {
        assertThatThrownBy(() -> RunReader.read(temp.resolve("none.gz"), dataset, OPTIONS))
                .hasMessage("cannot read " + temp.resolve("none.gz") + ": file not found");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write("q1 Q0 p1 1 0.5 x\n".getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = bytes.toByteArray();
        Path cut = Files.write(temp.resolve("cut.gz"), Arrays.copyOf(whole, whole.length - 9));
        assertThatThrownBy(() -> RunReader.read(cut, dataset, OPTIONS))
                .hasMessageStartingWith("cannot read " + cut + ": the compressed data is corrupt or cut off");
    }

    private Run randomRun(int queries) {
        Random random = new Random(7);
        List<String> ids = new ArrayList<>();
        List<Ranking> rankings = new ArrayList<>();
        for (int i = 0; i < queries; i++) {
            ids.add("q" + i);
            float[] scores = {random.nextFloat(), (float) random.nextGaussian() * 1e-5f, random.nextInt(3)};
            rankings.add(Ranking.of(new int[] {2, 0, 1}, scores).top(i % 4));
        }
        return new Run(dataset.passages().ids(), ids, rankings);
    }

    @Test
    void writesTheSameBytesWithAnyNumberOfThreads() throws IOException {
        Run run = randomRun(1500);
        TrecRunWriter.write(temp.resolve("1.gz"), run, "tag", 1);
        TrecRunWriter.write(temp.resolve("3.gz"), run, "tag", 3);
        assertThat(temp.resolve("3.gz")).hasSameBinaryContentAs(temp.resolve("1.gz"));
    }

    @Test
    void readsBackWhatItWroteToTheLastBit() throws IOException {
        Run run = randomRun(1500);
        TrecRunWriter.write(temp.resolve("run.gz"), run, "tag", 2);
        StringBuilder queries = new StringBuilder();
        run.queries().forEach(id -> queries.append("{\"_id\": \"" + id + "\", \"text\": \"?\"}\n"));
        Dataset wide = TinyBenchmark.in(temp.resolve("wide"))
                .write("queries.jsonl", queries.toString())
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\n")
                .open();
        Run back = RunReader.read(temp.resolve("run.gz"), wide).run();
        for (String query : run.queries()) {
            Ranking expected = run.of(query);
            Ranking actual = back.of(query);
            assertThat(actual.size()).isEqualTo(expected.size());
            for (int rank = 0; rank < expected.size(); rank++) {
                assertThat(actual.passage(rank)).isEqualTo(expected.passage(rank));
                assertThat(actual.score(rank)).isEqualTo(expected.score(rank));
            }
        }
    }

    @Test
    void writesLinesAsTrecEvalReadsThem() throws IOException {
        Run run = new Run(
                dataset.passages().ids(), List.of("q1"), List.of(Ranking.of(new int[] {1, 0}, new float[] {0.25f, 12
                })));
        TrecRunWriter.write(temp.resolve("run.gz"), run, "bm25", 1);
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(temp.resolve("run.gz")))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("q1 Q0 p3 1 12.0 bm25\nq1 Q0 p2 2 0.25 bm25\n");
        }
    }
}
