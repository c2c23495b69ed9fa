package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.dataset.ParquetFiles;
import io.posbias.dataset.TinyBenchmark;
import io.posbias.hub.FakeHub;
import io.posbias.result.ResultFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 and Ctrl-C in the middle, then the same command again: the same result, nothing left over. */
@Timeout(120)
class KillTest {
    @TempDir
    Path temp;

    /** Starts posbias in a process of its own; its output goes to files beside the results. */
    private Process start(FakeHub hub, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.posbias.cli.Main"));
        Stream.of(arguments).map(String::valueOf).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
        builder.environment().put("POSBIAS_HOME", temp.resolve("home").toString());
        builder.environment().put("HF_HOME", temp.resolve("hf").toString());
        builder.environment().put("HF_ENDPOINT", hub.endpoint().toString());
        builder.redirectOutput(temp.resolve("stdout").toFile());
        builder.redirectError(temp.resolve("stderr").toFile());
        return builder.start();
    }

    private List<String> files(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(temp.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> temp.resolve(folder).relativize(file).toString())
                    .filter(file -> !file.endsWith(".lock"))
                    .sorted()
                    .toList();
        }
    }

    private String stderr() throws IOException {
        return Files.readString(temp.resolve("stderr"), StandardCharsets.UTF_8);
    }

    @Test
    void anEvaluationThatWasKilledIsDoneAgain() throws IOException, InterruptedException {
        Path reference = temp.resolve("reference");
        Cli.run("eval", "--model", "bm25", "--dataset", "demo", "--output", reference);
        try (FakeHub hub = new FakeHub()) {
            for (int millis : new int[] {250, 500, 700, 850, 1000}) {
                Process victim = start(hub, "eval", "--model", "bm25", "--dataset", "demo", "--output", "out");
                victim.waitFor(millis, TimeUnit.MILLISECONDS);
                victim.destroyForcibly().waitFor();
            }
            Process last = start(hub, "eval", "--model", "bm25", "--dataset", "demo", "--output", "out");
            assertThat(last.waitFor()).as(stderr()).isZero();
            assertThat(files("out")).containsExactly("buckets.csv", "queries.csv", "result.json", "run.trec.gz");
            for (String file : List.of("buckets.csv", "queries.csv", "run.trec.gz")) {
                assertThat(temp.resolve("out").resolve(file)).hasSameBinaryContentAs(reference.resolve(file));
            }
            assertThat(hub.seen()).isEmpty();
        }
    }

    private long vectorBytes() throws IOException {
        if (!Files.isDirectory(temp.resolve("home"))) {
            return 0;
        }
        long bytes = 0;
        for (String file : files("home")) {
            bytes += file.endsWith(".vectors") ? Files.size(temp.resolve("home").resolve(file)) : 0;
        }
        return bytes;
    }

    /** Passages of 90 lengths, so that there are as many batches. */
    private Path manyLengths() {
        StringBuilder corpus = new StringBuilder();
        for (int i = 10; i < 100; i++) {
            String text = "fox " + i + " and owl ".repeat(i) + "bridge";
            corpus.append("{\"_id\": \"p" + i + "\", \"text\": \"" + text + "\"}\n");
        }
        return TinyBenchmark.in(temp.resolve("lengths"))
                .write("corpus.jsonl", corpus.toString())
                .write("queries.jsonl", """
                        {"_id": "q1", "text": "fox 11", "pos_char_span": [0, 6]}
                        {"_id": "q2", "text": "owls on a bridge", "pos_char_span": [50, 60]}
                        """)
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp11\t1\nq2\tp30\t1\n")
                .folder();
    }

    @Test
    void anEncodingThatWasKilledGoesOnWhereItStopped() throws IOException, InterruptedException {
        Path reference = temp.resolve("reference");
        Path dataset = manyLengths();
        Cli.run("eval", "--model", "all-minilm-l6-v2", "--dataset", dataset, "--no-cache", "--output", reference);
        Object[] command = {"eval", "--model", "all-minilm-l6-v2", "--dataset", dataset, "--output", "out"};
        try (FakeHub hub = new FakeHub()) {
            Process victim = start(hub, command);
            for (int i = 0; i < 6_000 && vectorBytes() == 0; i++) {
                Thread.sleep(5);
            }
            victim.destroyForcibly().waitFor();
            assertThat(temp.resolve("out")).doesNotExist();
            Process last = start(hub, command);
            assertThat(last.waitFor()).as(stderr()).isZero();
            assertThat(hub.seen()).isEmpty();
        }
        Map<String, Double> effort = ResultFile.read(temp.resolve("out/result.json"))
                .getFirst()
                .retrieval()
                .effort();
        assertThat(effort.getOrDefault("texts_from_cache", 0.0)).isPositive();
        assertThat(effort.getOrDefault("texts_encoded", 0.0)).isPositive();
        for (String file : List.of("buckets.csv", "queries.csv", "run.trec.gz")) {
            assertThat(temp.resolve("out").resolve(file)).hasSameBinaryContentAs(reference.resolve(file));
        }
    }

    private byte[] squadRows() throws SQLException, IOException {
        return Files.readAllBytes(ParquetFiles.write(
                temp.resolve("made.parquet"),
                "SELECT 'id' || i AS id, 'T' AS title, 'Context ' || md5(i::VARCHAR) || ' with an answer' AS context,"
                        + " 'Question ' || i || '?' AS question, {'text': ['answer'], 'answer_start': [49::INT]} AS answers"
                        + " FROM range(2000) t(i)",
                "uncompressed"));
    }

    private void waitForPart() throws IOException, InterruptedException {
        Path folder = temp.resolve("home/downloads/squad-posq/squad_v2");
        for (int i = 0; i < 300; i++) {
            Thread.sleep(100);
            if (Files.isDirectory(folder) && files("home").stream().anyMatch(file -> file.endsWith(".part"))) {
                // The first half of the file is on its way.
                Thread.sleep(500);
                return;
            }
        }
        throw new AssertionError("nothing was downloaded: " + stderr());
    }

    @Test
    void aPullThatWasKilledContinues() throws IOException, InterruptedException, SQLException {
        byte[] rows = squadRows();
        try (FakeHub hub = new FakeHub()) {
            String folder = "rajpurkar/squad_v2/squad_v2/";
            hub.store(folder + "train-00000-of-00001.parquet", rows, true);
            hub.store(folder + "validation-00000-of-00001.parquet", "PAR1".getBytes(StandardCharsets.UTF_8), true);
            hub.order(FakeHub.Fault.SLOW);
            Process victim = start(hub, "data", "pull", "squad-posq");
            waitForPart();
            victim.destroyForcibly().waitFor();
            assertThat(files("home")).singleElement().asString().endsWith(".part");
            long kept = Files.size(temp.resolve("home").resolve(files("home").getFirst()));
            assertThat(kept).isGreaterThan(rows.length / 4);

            // The other file turns out to be no Parquet: the first one is whole by then, and nothing half is shown.
            Process broken = start(hub, "data", "pull", "squad-posq");
            assertThat(broken.waitFor()).isEqualTo(1);
            assertThat(hub.seen()).anyMatch(seen -> ("bytes=" + kept + "-").equals(seen.range()));
            assertThat(temp.resolve("home/datasets/squad-posq")).doesNotExist();

            hub.store(folder + "validation-00000-of-00001.parquet", emptyRows(), true);
            Process last = start(hub, "data", "pull", "squad-posq");
            assertThat(last.waitFor()).as(stderr()).isZero();
            assertThat(files("home"))
                    .containsExactly(
                            "datasets/squad-posq/corpus.jsonl.gz",
                            "datasets/squad-posq/dataset.yaml",
                            "datasets/squad-posq/qrels/test.tsv",
                            "datasets/squad-posq/queries.jsonl.gz");
            assertThat(Files.readString(temp.resolve("stdout"), StandardCharsets.UTF_8))
                    .isEqualTo("squad-posq: " + temp.resolve("home/datasets/squad-posq") + "\n");
        }
    }

    private byte[] emptyRows() throws SQLException, IOException {
        return Files.readAllBytes(ParquetFiles.write(
                temp.resolve("empty.parquet"),
                "SELECT 'x' AS id, 'T' AS title, 'One more context' AS context, '?' AS question,"
                        + " {'text': []::VARCHAR[], 'answer_start': []::INT[]} AS answers",
                "zstd"));
    }

    @Test
    void controlCEndsQuietlyAndLeavesNothing() throws IOException, InterruptedException, SQLException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "skipped: there is no kill");
        byte[] rows = squadRows();
        try (FakeHub hub = new FakeHub()) {
            hub.store("rajpurkar/squad_v2/squad_v2/train-00000-of-00001.parquet", rows, true);
            hub.order(FakeHub.Fault.SLOW);
            Process victim = start(hub, "eval", "--model", "bm25", "--dataset", "squad-posq", "--output", "out");
            waitForPart();
            new ProcessBuilder("/bin/kill", "-INT", String.valueOf(victim.pid()))
                    .start()
                    .waitFor();
            assertThat(victim.waitFor()).isEqualTo(130);
            assertThat(temp.resolve("out")).doesNotExist();
            assertThat(stderr()).startsWith("fetching rajpurkar/squad_v2").doesNotContain("\tat ");
        }
    }
}
