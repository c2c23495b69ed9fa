package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Staging;
import io.posbias.study.calibrate.WordTokenizer;
import io.posbias.model.encode.StandInRerankers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The files of a run on Spark's executors are those of a run here, whoever is killed meanwhile. */
@Timeout(900)
@Tag("slow")
@ResourceLock("SparkContext") // of which a process has one
class SparkTest {
    /** -Pfaults kills as often as the docs say. */
    private static final boolean FULL = System.getProperty("posbias.faults", "").equals("full");

    private static final List<String> FILES = List.of("buckets.csv", "queries.csv", "run.trec.gz");

    private static final Pattern EFFORT = Pattern.compile("\"(texts_\\w+)\" : (\\d+)");

    @TempDir
    Path temp;

    private Cli.Ended here(String home, Object... arguments) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("POSBIAS_HOME", temp.resolve(home).toString());
        return Cli.run(environment, arguments);
    }

    /** A home of the executors, which see nothing of the driver's. */
    private String ownHome() {
        return "spark.executorEnv.POSBIAS_HOME=" + temp.resolve("theirs");
    }

    private void assertSame(String out, String reference) {
        for (String file : FILES) {
            assertThat(temp.resolve(out).resolve(file))
                    .hasSameBinaryContentAs(temp.resolve(reference).resolve(file));
        }
    }

    private static List<Object> words(Object... words) {
        return new ArrayList<>(List.of(words));
    }

    /** Encodes, searches and re-ranks with one model. */
    private void sameOnSpark(Object model, Object dataset, Object... more) {
        List<Object> command = words("eval --model", model, "--dataset", dataset, "--draws 100");
        List<Object> plain = new ArrayList<>(command);
        plain.addAll(List.of("--out", temp.resolve("here")));
        here("home-1", plain.toArray()).ok();
        command.addAll(List.of("--out", temp.resolve("spark"), "--engine spark --master local[2]"));
        command.addAll(List.of("--conf spark.ui.enabled=false"));
        command.addAll(List.of(more));
        here("home-2", command.toArray()).ok();
        assertSame("spark", "here");
    }

    @Test
    void aDenseModel() {
        Path model = DemoModels.dense(temp.resolve("model"));
        sameOnSpark(model, "demo");
    }

    @Test
    void aReranker() throws IOException {
        WordTokenizer tokenizer = WordTokenizer.of(TwoWordBenchmark.words());
        Path bad = TwoWordBenchmark.badFirstStage(temp);
        Path recipe = StandInRerankers.write(
                temp.resolve("cross"),
                "cross",
                StandInRerankers.overlap(tokenizer.size(), 1),
                tokenizer.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\nfirst-stage: " + bad + "\n");
        sameOnSpark(recipe, TwoWordBenchmark.write(temp.resolve("data")), "--conf", ownHome());
    }

    @Test
    void wordsThatMakeNoSense() {
        assertThat(here("home", "eval --model bm25 --dataset demo --master local")
                        .err())
                .contains("--master belongs to --engine spark");
        assertThat(here("home", "eval --model bm25 --dataset demo --engine flink")
                        .err())
                .contains("--engine", "local, spark", "flink");
    }

    private Child cluster(String out, Object... more) throws IOException {
        List<Object> command = words(
                "eval --model",
                DemoModels.dense(temp.resolve("model")),
                "--dataset demo --out",
                temp.resolve(out),
                "--engine spark --master local-cluster[2,1,1024] --conf spark.ui.enabled=false");
        command.addAll(List.of(more));
        return Child.start(temp, Map.of("SPARK_HOME", temp.resolve("spark-home").toString()), command.toArray());
    }

    /** The bytes of whole blocks of vectors, which are what a run that starts again finds. */
    private long vectors() throws IOException {
        Path folder = temp.resolve("home/vectors");
        long bytes = 0;
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(name -> name.toString().endsWith(".vectors"))
                        .toList()) {
                    bytes += wholeBlocks(Files.readAllBytes(file));
                }
            }
        }
        return bytes;
    }

    /** A block is a header of 20 bytes, with the count of its entries and the bytes of their vectors, 24 bytes an entry, vectors. */
    private static int wholeBlocks(byte[] file) {
        ByteBuffer blocks = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int end = 0;
        while (end + 20 <= file.length) {
            long next = end + 20 + blocks.getInt(end + 4) * 24L + blocks.getLong(end + 8);
            if (next > file.length) {
                break;
            }
            end = (int) next;
        }
        return end;
    }

    private static List<ProcessHandle> executors(Child driver) {
        return ProcessHandle.of(driver.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .filter(each -> each.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
                .toList();
    }

    private Map<String, Integer> effort(String out) throws IOException {
        Matcher numbers = EFFORT.matcher(Files.readString(temp.resolve(out).resolve("result.json")));
        Map<String, Integer> effort = new HashMap<>();
        while (numbers.find()) {
            effort.put(numbers.group(1), Integer.parseInt(numbers.group(2)));
        }
        return effort;
    }

    /** The driver is killed and started again, and then an executor, each when some vectors are kept. */
    @Test
    void nobodyWhoIsKilledChangesAByte() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc")), "needs /proc to see the command lines of others");
        here(
                        "other",
                        "eval --model",
                        DemoModels.dense(temp.resolve("model")),
                        "--dataset demo --out",
                        temp.resolve("reference"))
                .ok();
        int texts = effort("reference").getOrDefault("texts_encoded", 0);
        Random random = new Random(16);
        for (int round = 0; round < (FULL ? 3 : 1); round++) {
            clear();
            long before = random.nextInt(200_000);
            cluster("driver-" + round).until(() -> vectors() > before).kill();
            cluster("driver-" + round).end().ok();
            assertSame("driver-" + round, "reference");
            Map<String, Integer> effort = effort("driver-" + round);
            assertThat(effort.getOrDefault("texts_from_cache", 0)).isPositive();
            assertThat(effort.getOrDefault("texts_from_cache", 0) + effort.getOrDefault("texts_encoded", 0))
                    .isEqualTo(texts);
        }
        for (int round = 0; round < (FULL ? 10 : 1); round++) {
            clear();
            long before = random.nextInt(200_000);
            Child driver = cluster("executor-" + round, "--conf", ownHome()).until(() -> vectors() > before);
            executors(driver).stream().findAny().ifPresent(ProcessHandle::destroyForcibly);
            driver.end().ok();
            assertSame("executor-" + round, "reference");
            // No text's vector came twice.
            assertThat(effort("executor-" + round)).containsEntry("texts_encoded", texts);
        }
    }

    private void clear() {
        Staging.delete(temp.resolve("home/vectors"));
    }
}
