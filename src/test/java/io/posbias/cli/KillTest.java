package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.net.StandInServer;
import io.posbias.base.process.Parallel;
import io.posbias.data.dataset.ParquetFiles;
import io.posbias.fetch.hub.FakeHub;
import io.posbias.model.encode.api.FakeApi;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(900)
@Tag("slow")
class KillTest {
    @TempDir
    Path temp;

    private Posbias posbias(FakeHub hub) {
        return new Posbias(temp, Map.of("HF_ENDPOINT", hub.endpoint().toString()));
    }

    private Child start(FakeHub hub, Object... arguments) throws IOException {
        return Child.start(temp, Map.of("HF_ENDPOINT", hub.endpoint().toString()), arguments);
    }

    private List<String> files(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(temp.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> temp.resolve(folder).relativize(file).toString())
                    .filter(file -> !file.endsWith(".lock") && !file.startsWith("native/"))
                    .sorted()
                    .toList();
        }
    }

    /** Killed when its folder is there, when most is written beside it, and when the first file is in its place. */
    @Test
    void anEvaluationThatWasKilledIsDoneAgain() throws IOException, InterruptedException {
        Path reference = temp.resolve("reference");
        Path out = temp.resolve("out");
        Cli.run("eval --model bm25 --dataset demo --out", reference);
        Object[] command = {"eval --model bm25 --dataset demo --out", out};
        Object[] again = {"eval --model bm25 --dataset demo --out", out, "--overwrite"};
        try (FakeHub hub = new FakeHub()) {
            start(hub, command).until(() -> Files.exists(out)).kill();
            Child second = start(hub, again);
            second.until(() -> staged(out, "queries.csv")).kill();
            start(hub, again)
                    .until(() -> Files.exists(out.resolve("buckets.csv")))
                    .kill();
            posbias(hub).run(command).ok();
            assertThat(files("out")).containsExactly("buckets.csv", "queries.csv", "result.json", "run.trec.gz");
            for (String file : List.of("buckets.csv", "queries.csv", "run.trec.gz")) {
                assertThat(out.resolve(file)).hasSameBinaryContentAs(reference.resolve(file));
            }
            assertThat(hub.seen()).isEmpty();
        }
    }

    private static boolean staged(Path folder, String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            return files.anyMatch(file -> file.endsWith(name) && !Objects.equals(file.getParent(), folder));
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

    private static String vectors(StandInServer.Seen request) {
        List<String> texts = request.texts("input");
        return IntStream.range(0, texts.size())
                .mapToObj(i -> "{\"index\": " + i + ", \"embedding\": ["
                        + texts.get(i).length() + ", "
                        + texts.get(i).hashCode() % 100 + "]}")
                .collect(Collectors.joining(
                        ", ", "{\"data\": [", "], \"usage\": {\"prompt_tokens\": 7, \"total_tokens\": 7}}"));
    }

    /** A service that answers three calls and then none until it is told to: nothing can end before it is killed. */
    @Test
    void anEncodingThatWasKilledGoesOnWhereItStopped() throws IOException, InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Boolean> open = new CompletableFuture<>();
        Function<StandInServer.Seen, String> service = request -> {
            if (calls.incrementAndGet() > 3) {
                Parallel.await(open);
            }
            return vectors(request);
        };
        Path out = temp.resolve("out");
        try (FakeApi api = new FakeApi(service);
                FakeHub hub = new FakeHub()) {
            Path recipe = Files.writeString(
                    temp.resolve("vendor.yaml"),
                    "name: vendor\nkind: embedding-api\nservice: openai\nmodel: m-1\nendpoint: " + api.address()
                            + "/v1/embeddings\ndimension: 2\nmax-tokens: 8192\ntexts-per-call: 10\n");
            Object[] command = {"eval --model", recipe, "--dataset demo --out", out};
            start(hub, command).until(() -> vectorBytes() > 0).kill();
            // What is there is hidden, and the next run deletes it.
            assertThat(visible(out)).isEmpty();
            open.complete(true);
            posbias(hub).run(command).ok();
            assertThat(hub.seen()).isEmpty();
            Path reference = temp.resolve("reference");
            Cli.run("eval --model", recipe, "--dataset demo --no-cache --out", reference);
            for (String file : List.of("buckets.csv", "queries.csv", "run.trec.gz")) {
                assertThat(out.resolve(file)).hasSameBinaryContentAs(reference.resolve(file));
            }
        }
        try (Stream<Path> all = Files.list(out)) {
            assertThat(all.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder("buckets.csv", "queries.csv", "run.trec.gz", "result.json");
        }
        Map<String, Double> usage = ResultFile.read(out.resolve("result.json"))
                .getFirst()
                .retrieval()
                .usage();
        assertThat(usage.getOrDefault("texts_from_cache", 0.0)).isPositive();
        assertThat(usage.getOrDefault("texts_encoded", 0.0)).isPositive();
    }

    private static List<Path> visible(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> !String.valueOf(file.getFileName()).startsWith("."))
                    .toList();
        }
    }

    private byte[] squadRows() throws SQLException, IOException {
        return Files.readAllBytes(ParquetFiles.write(
                temp.resolve("made.parquet"),
                "SELECT 'id' || i AS id, 'T' AS title, 'Context ' || md5(i::VARCHAR) || ' with an answer' AS context,"
                        + " 'Question ' || i || '?' AS question, {'text': ['answer'], 'answer_start': [49::INT]} AS"
                        + " answers FROM range(2000) t(i)",
                "uncompressed"));
    }

    /** Whether a quarter of a file and more has come; the server sends the first half at once and takes a minute for more. */
    private boolean partIsThere(byte[] rows) throws IOException {
        if (!Files.isDirectory(temp.resolve("home/downloads/squad-posq/squad_v2"))) {
            return false;
        }
        for (String file : files("home")) {
            if (file.endsWith(".part")) {
                return Files.size(temp.resolve("home").resolve(file)) > rows.length / 4;
            }
        }
        return false;
    }

    @Test
    void aPullThatWasKilledContinues() throws IOException, InterruptedException, SQLException {
        byte[] rows = squadRows();
        try (FakeHub hub = new FakeHub()) {
            String folder = "rajpurkar/squad_v2/squad_v2/";
            hub.store(folder + "train-00000-of-00001.parquet", rows, true);
            hub.store(folder + "validation-00000-of-00001.parquet", "PAR1".getBytes(StandardCharsets.UTF_8), true);
            hub.order(FakeHub.Fault.SLOW);
            start(hub, "data pull squad-posq").until(() -> partIsThere(rows)).kill();
            assertThat(files("home")).singleElement().asString().endsWith(".part");
            long kept = Files.size(temp.resolve("home").resolve(files("home").getFirst()));
            assertThat(kept).isGreaterThan(rows.length / 4);

            // The other file turns out to be no Parquet: the first one is whole by then, and nothing half is shown.
            Cli.Ended broken = posbias(hub).run("data pull squad-posq");
            assertThat(broken.code()).isEqualTo(1);
            assertThat(hub.seen()).anyMatch(seen -> ("bytes=" + kept + "-").equals(seen.range()));
            assertThat(temp.resolve("home/datasets/squad-posq")).doesNotExist();

            hub.store(folder + "validation-00000-of-00001.parquet", emptyRows(), true);
            Cli.Ended last = posbias(hub).run("data pull squad-posq").ok();
            assertThat(files("home"))
                    .containsExactly(
                            "datasets/squad-posq/corpus.jsonl.gz",
                            "datasets/squad-posq/dataset.yaml",
                            "datasets/squad-posq/qrels/test.tsv",
                            "datasets/squad-posq/queries.jsonl.gz");
            assertThat(last.out()).isEqualTo("squad-posq: " + temp.resolve("home/datasets/squad-posq") + "\n");
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
    void controlCDeletesTemporaryFiles() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "skipped: there is no kill");
        Path temporary = Files.createDirectories(temp.resolve("tmp"));
        Child victim = Child.start(
                temp, Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary), "calibrate --format json");
        victim.until(() -> {
            try (Stream<Path> all = Files.walk(temporary)) {
                return all.anyMatch(file -> Files.isDirectory(file)
                        && String.valueOf(file.getFileName()).startsWith("calibrate-"));
            }
        });
        new ProcessBuilder("/bin/kill", "-INT", String.valueOf(victim.pid()))
                .start()
                .waitFor();
        Cli.Ended ended = victim.end();
        assertThat(ended.code()).as(ended.err()).isEqualTo(130);
        assertThat(ended.err()).contains("posbias: interrupted; nothing is left");
        try (Stream<Path> left = Files.walk(temporary)) {
            assertThat(left.map(file -> temporary.relativize(file).toString()))
                    .hasSize(2)
                    .anyMatch(name -> name.startsWith("posbias-"));
        }
    }

    /** ONNX Runtime makes a temporary folder in each process, posbias's and others'. */
    @Test
    void killsLeaveNoFolderOfOnnxRuntimeAndOthersKeepTheirs() throws IOException, InterruptedException {
        Path temporary = Files.createDirectories(temp.resolve("tmp"));
        Path other = Files.createDirectories(temporary.resolve("onnxruntime-java17"));
        Files.setLastModifiedTime(other, FileTime.fromMillis(0));
        Child victim = Child.start(
                temp,
                Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary),
                "eval --model all-minilm-l6-v2 --dataset demo --out out");
        victim.until(() -> Files.exists(temp.resolve("home/vectors")));
        victim.kill();
        assertThat(temp.resolve("home/vectors")).exists();
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(file -> String.valueOf(file.getFileName()).startsWith("onnx")))
                    .containsExactly(other);
        }
    }

    @Test
    void controlCEndsQuietlyAndLeavesNothing() throws IOException, InterruptedException, SQLException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "skipped: there is no kill");
        byte[] rows = squadRows();
        try (FakeHub hub = new FakeHub()) {
            hub.store("rajpurkar/squad_v2/squad_v2/train-00000-of-00001.parquet", rows, true);
            hub.store("rajpurkar/squad_v2/squad_v2/validation-00000-of-00001.parquet", rows, true);
            hub.order(FakeHub.Fault.SLOW);
            Child victim = start(hub, "eval --model bm25 --dataset squad-posq --out out");
            victim.until(() -> partIsThere(rows));
            new ProcessBuilder("/bin/kill", "-INT", String.valueOf(victim.pid()))
                    .start()
                    .waitFor();
            Cli.Ended ended = victim.end();
            assertThat(ended.code()).as(ended.err()).isEqualTo(130);
            assertThat(temp.resolve("out")).doesNotExist();
            assertThat(ended.err())
                    .startsWith("licence of squad-posq: CC-BY-SA-4.0\n")
                    .containsSubsequence("\nfetching rajpurkar/squad_v2", "posbias: interrupted; kept: ")
                    .doesNotContain("\tat ");
        }
    }
}
