package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.calibrate.ReferenceEncoder;
import io.posbias.calibrate.WordTokenizer;
import io.posbias.encode.StandInRerankers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cells take before they are evaluated. */
class PlanTest {
    @TempDir
    Path temp;

    private Fields json(Posbias posbias, Object... command) {
        Cli.Ended ended = posbias.run(command);
        assertThat(ended.code()).as(ended.err()).isZero();
        return Json.parseYaml(Path.of("plan"), ended.out().getBytes(StandardCharsets.UTF_8));
    }

    /** Counted by hand: Tables 1 and 4 of the paper, 4 bytes to a number. */
    @Test
    void allOfPosirIsPlannedFromWhatWasPublished() {
        Fields plan = json(
                new Posbias(temp, Map.of()),
                "run",
                "posir-table10",
                "--results",
                temp.resolve("out"),
                "--dry-run",
                "--tflops",
                400,
                "--workers",
                "1,8",
                "--format",
                "json");
        assertThat(plan.records("cells")).hasSize(5_580);
        List<Fields> models = plan.records("models");
        assertThat(models).hasSize(11);
        Fields biggest = models.stream()
                .filter(model -> model.text("model").equals("qwen3-embedding-8b-posir"))
                .findFirst()
                .orElseThrow();
        assertThat(biggest.integer("cells")).isEqualTo(558);
        assertThat(biggest.integer("passages")).isEqualTo(17_329_673);
        // 421,708 of the ten languages; the eight that English was translated to are asked again on it.
        assertThat(biggest.integer("queries")).isEqualTo(421_708 + 335_762);
        assertThat(biggest.number("tokens")).isCloseTo(22_784_263_943.0 + 757_470 * 21.91, within(2e6));
        assertThat(biggest.number("vector_bytes")).isCloseTo((17_329_673.0 + 757_470) * 4096 * 4, within(1e4));
        double linear = 2.0 * (7_567_295_488.0 - 621_219_840) * biggest.number("tokens");
        assertThat(biggest.number("flops")).isBetween(linear, 1.06 * linear);
        double hours = biggest.number("hours_on_1");
        assertThat(hours).isCloseTo(biggest.number("flops") / 400e12 / 3600, within(0.001));
        assertThat(biggest.number("hours_on_8")).isCloseTo(hours / 8, within(1e-6));
        assertThat(temp.resolve("out")).doesNotExist();
    }

    @Test
    void tableTwoHasItsCellsAndSharesOfThemNeedTheLongest() {
        Fields plan = tableTwo();
        assertThat(plan.raw("slots")).isNull();
        List<Fields> cells = plan.records("cells");
        assertThat(cells).hasSize(3_100);
        double longest =
                cells.stream().mapToDouble(cell -> cell.number("seconds")).max().orElseThrow();
        double sum = cells.stream().mapToDouble(cell -> cell.number("seconds")).sum();
        Fields all = plan.records("models").getLast();
        assertThat(all.text("model")).isEqualTo("all");
        assertThat(all.number("hours_on_10")).isCloseTo(sum / 10 / 3600, within(1e-6));
        assertThat(all.number("hours_on_1000000")).isCloseTo(longest / 3600, within(1e-6));
    }

    /** Spark's executors have a part of every cell, but no less than a block of it. */
    @Test
    void withSparkCellsAreDivided() {
        Fields plan = tableTwo("--engine", "spark", "--master", "spark://HOST:7077");
        assertThat(plan.integer("slots")).isEqualTo(1_000_000);
        List<Fields> cells = plan.records("cells");
        assertThat(cells)
                .allMatch(cell -> cell.integer("encode_blocks") > 0 && cell.integer("search_blocks") > 0)
                .allMatch(cell -> cell.integer("score_blocks") == 0);
        double sum = cells.stream().mapToDouble(cell -> cell.number("seconds")).sum();
        double floor = cells.stream()
                .mapToDouble(cell ->
                        cell.number("seconds") / (cell.integer("encode_blocks") + cell.integer("search_blocks")))
                .sum();
        Fields all = plan.records("models").getLast();
        assertThat(all.number("hours_on_10") * 3600).isBetween(sum / 10, 1.01 * sum / 10);
        assertThat(all.number("hours_on_1000000") * 3600).isBetween(floor, sum / 100);
    }

    private Fields tableTwo(String... more) {
        Object[] command = {
            "run", "posir-table2", "--dry-run", "--tflops", 400, "--workers", "10,1000000", "--format", "json",
        };
        return json(new Posbias(temp, Map.of()), append(command, (Object[]) more));
    }

    /** By hand: 12 x (3 + 3 + 32) words of passages and 12 x 2 of queries, and two special tokens around each of 48 texts. */
    @Test
    void aModelIsMeasuredAndWhatItEncodedCostsNothing() throws IOException {
        TwoWordBenchmark.write(temp.resolve("words"));
        Path model = new ReferenceEncoder("r", ReferenceEncoder.Shape.FLAT, 0, 64, 1, 64)
                .write(temp.resolve("model"), TwoWordBenchmark.words());
        Posbias posbias = new Posbias(temp, Map.of());
        Object[] command = {
            "eval",
            "--model",
            "bm25," + model,
            "--dataset",
            temp.resolve("words"),
            "--results",
            temp.resolve("a"),
            "--draws",
            10
        };
        Object[] plan = append(command, "--dry-run", "--format", "json");
        List<Fields> before = json(posbias, plan).records("cells");
        assertThat(before).hasSize(2);
        Fields words = before.getFirst();
        assertThat(words.raw("tokens")).isNull();
        assertThat(words.number("seconds")).isPositive();
        Fields dense = before.getLast();
        assertThat(dense.text("basis")).isEqualTo("texts");
        assertThat(dense.integer("passages")).isEqualTo(36);
        assertThat(dense.integer("queries")).isEqualTo(12);
        assertThat(dense.integer("tokens")).isEqualTo(12 * (3 + 3 + 32) + 12 * 2 + 2 * 48);
        assertThat(dense.has("encode_blocks")).isFalse();
        assertThat(dense.number("vector_bytes")).isEqualTo(48 * 64 * 4);
        assertThat(dense.number("seconds")).isPositive();
        assertThat(temp.resolve("a")).doesNotExist();

        assertThat(posbias.run(command).code()).isZero();
        List<Fields> after = json(posbias, plan).records("cells");
        assertThat(after).allMatch(cell -> cell.text("cell").equals("finished") && cell.number("seconds") == 0);
        Fields again =
                json(posbias, append(plan, "--overwrite")).records("cells").getLast();
        assertThat(again.text("cell")).isEqualTo("missing");
        assertThat(again.integer("passages")).isZero();
        assertThat(again.integer("tokens")).isZero();
    }

    private static Object[] append(Object[] words, Object... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray();
    }

    @Test
    void pairsOfARerankerAreCounted() throws IOException {
        TwoWordBenchmark.write(temp.resolve("words"));
        WordTokenizer tokenizer = WordTokenizer.of(TwoWordBenchmark.words());
        Path counter = StandInRerankers.write(
                temp.resolve("counter"),
                "counter",
                StandInRerankers.overlap(tokenizer.size(), 1),
                tokenizer.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\ndepth: 7\n");
        Posbias posbias = new Posbias(temp, Map.of());
        Fields plan = json(
                posbias,
                "eval",
                "--model",
                counter,
                "--dataset",
                temp.resolve("words"),
                "--draws",
                10,
                "--results",
                temp.resolve("out"),
                "--dry-run",
                "--format",
                "json");
        Fields cell = plan.records("cells").getFirst();
        int queries = cell.integer("queries");
        assertThat(cell.integer("tokens") / (double) (queries * 7)).isBetween(4.0, 64.0);
        assertThat(cell.number("seconds")).isPositive();
    }

    @Test
    void whatIsNotHereIsPlannedWithoutHours() {
        Posbias posbias = new Posbias(temp, Map.of());
        Fields plan = json(
                posbias,
                "eval",
                "--model",
                "bge-m3",
                "--dataset",
                "posir/eng-Latn/game,nq",
                "--dry-run",
                "--results",
                temp.resolve("out"),
                "--format",
                "json");
        assertThat(plan.records("cells")).hasSize(2).allSatisfy(cell -> {
            assertThat(cell.text("cell")).isEqualTo("missing; the dataset would be pulled");
            assertThat(cell.text("basis")).isEqualTo("published");
            assertThat(cell.integer("tokens")).isPositive();
            assertThat(cell.raw("seconds")).isNull();
        });
        assertThat(plan.records("models").getFirst().raw("hours_on_1")).isNull();
        assertThat(temp.resolve("out")).doesNotExist();
    }
}
