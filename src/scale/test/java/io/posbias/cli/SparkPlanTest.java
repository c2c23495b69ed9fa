package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.calibrate.ReferenceEncoder;
import io.posbias.calibrate.WordTokenizer;
import io.posbias.encode.StandInRerankers;
import io.posbias.scale.spark.CountedTasks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan counts the blocks that Spark is then given. */
@Timeout(300)
@Tag("slow")
@ResourceLock("SparkContext") // of which a process has one
@Tag("slow")
class SparkPlanTest {
    @TempDir
    Path temp;

    private static Object[] words(Object[] words, Object... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray();
    }

    private Fields plan(Object... command) {
        Cli.Ended ended = new Posbias(temp, Map.of()).run(words(command, "--dry-run", "--format", "json"));
        assertThat(ended.code()).as(ended.err()).isZero();
        return Json.parseYaml(Path.of("plan"), ended.out().getBytes(StandardCharsets.UTF_8));
    }

    private Object[] command(Object models, Path data, String... conf) {
        Object[] command = {
            "eval",
            "--model",
            models,
            "--dataset",
            data,
            "--draws",
            10,
            "--results",
            temp.resolve("out"),
            "--engine",
            "spark",
            "--master",
            "local[2]",
            "--conf",
            "spark.ui.enabled=false",
        };
        return words(command, (Object[]) conf);
    }

    /** The tasks that Spark ended are those that were planned. */
    private void isRunAsPlanned(Object[] command) {
        List<Fields> cells = plan(command).records("cells");
        CountedTasks.clear();
        Cli.Ended ended = new Posbias(temp, Map.of())
                .run(words(command, "--conf", "spark.extraListeners=" + CountedTasks.class.getName()));
        assertThat(ended.code()).as(ended.err()).isZero();
        for (String kind : List.of("encode", "search", "score")) {
            int planned = cells.stream()
                    .mapToInt(cell -> cell.integer(kind + "_blocks"))
                    .sum();
            assertThat(CountedTasks.of(kind)).as(kind).isEqualTo(planned);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "+chunked:window=8", "+late-chunked:window=8", "+mirrored", "+quantised:numbers=binary"})
    void ofADenseModel(String strategy) throws IOException {
        Path model = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 64)
                .write(temp.resolve("model"), LongBenchmark.words());
        Path data = LongBenchmark.write(temp.resolve("long"));
        isRunAsPlanned(command(model + strategy, data));
        // What is in the cache is given to nobody.
        Fields again = plan(words(command(model + strategy, data), "--overwrite"))
                .records("cells")
                .getFirst();
        assertThat(again.integer("encode_blocks")).isZero();
        assertThat(again.integer("search_blocks")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"spark.posbias.send=false", "spark.posbias.send=true"})
    void ofARerankerAfterADenseModel(String sent) throws IOException {
        WordTokenizer tokenizer = WordTokenizer.of(TwoWordBenchmark.words());
        Path model = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 64)
                .write(temp.resolve("model"), TwoWordBenchmark.words());
        Path counter = StandInRerankers.write(
                temp.resolve("counter"),
                "counter",
                StandInRerankers.overlap(tokenizer.size(), 1),
                tokenizer.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\ndepth: 7\nfirst-stage: " + model + "\n");
        isRunAsPlanned(command(model + "," + counter, TwoWordBenchmark.write(temp.resolve("words")), "--conf", sent));
    }

    /** By Spark's own rules: cores of all executors, at least 2, unless told otherwise. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "local|1",
                "local[3]|3",
                "local[3,4]|3",
                "local-cluster[2,3,1024]|6",
                "local-cluster[1,1,1024]|2",
                "spark://HOST:7077|2",
                "spark://HOST:7077 --workers 8,64|64",
                "yarn --conf spark.default.parallelism=12|12",
                "local[8] --conf spark.task.cpus=2|4",
            })
    void slotsAreThoseOfTheMaster(String master, int slots) {
        Object[] command = {"eval", "--model", "bm25", "--dataset", "demo", "--engine", "spark", "--master"};
        Fields plan = plan(words(command, (Object[]) master.split(" ", -1)));
        assertThat(plan.integer("slots")).isEqualTo(slots);
        assertThat(plan.records("cells").getFirst().integer("encode_blocks")).isZero();
        assertThat(plan.records("models").getFirst().raw("hours_on_" + (master.contains("64") ? 64 : slots)))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--master local[x]|--master \"local[x]\" is none that Spark knows: local, local[2], local[*] or",
                "--master yarn --conf spark.task.cpus=x|spark.task.cpus is \"x\", not a number",
                "--conf a=b|--engine spark needs --master, such as local[*] or",
            })
    void wrongMastersAreOneLine(String options, String message) {
        Object[] command = {"eval", "--model", "bm25", "--dataset", "demo", "--dry-run", "--engine", "spark"};
        Cli.Ended ended = Cli.run(words(command, (Object[]) options.split(" ", -1)));
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).startsWith("posbias: " + message);
    }

    @Test
    void blocksArePrintedOnlyWithSpark() {
        Object[] command = {"eval", "--model", "bm25", "--dataset", "demo", "--dry-run", "--results", temp.resolve("o")
        };
        Posbias posbias = new Posbias(temp, Map.of());
        assertThat(posbias.run(command).out()).doesNotContain("blocks");
        assertThat(posbias.run(words(command, "--engine", "spark", "--master", "local[2]"))
                        .out())
                .contains("blocks", "each worker, ", "1 thread");
    }
}
