package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.study.calibrate.PlantedBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class MitigateTest {
    @TempDir
    static Path data;

    @TempDir
    Path temp;

    /** A fifth of the demo. */
    private static Path demo() {
        return data.resolve("demo");
    }

    @BeforeAll
    static void sample() {
        Cli.run("data sample demo --n 240 --name demo --out", demo()).ok();
    }

    private Cli.Ended mitigate(Object... words) {
        return Cli.run("mitigate --dataset", demo(), "--results", temp.resolve("results"), "--draws 200", words);
    }

    @Test
    void comparesEachStrategyWithTheModelAndSaysWhatToDo() throws IOException {
        Cli.Ended ended =
                mitigate("--model bm25 --plots", temp.resolve("plots")).ok();
        assertThat(ended.out())
                .contains("bm25 on demo, nDCG@10 in points\n", "(none)", "chunked", "vectors")
                .doesNotContain("mirrored", "quantised", "fused");
        // Windows raise PSI there: no p of a strategy that lessens it is told.
        assertThat(ended.out()).startsWith("On demo keep bm25 ");
        assertThat(temp.resolve("plots/pareto-bm25-demo.svg")).exists();
        assertThat(temp.resolve("results/demo/bm25+chunked/result.json")).exists();
    }

    @Test
    void fusedWithItselfIsTheModelAndChangesNothing() throws IOException {
        Cli.Ended ended = mitigate("--model bm25 --strategies fused --format json");
        JsonNode strategy = Json.mapper().readTree(ended.out()).at("/strategies/1");
        assertThat(strategy.at("/outcome").asString()).isEqualTo("no detectable change");
        assertThat(strategy.at("/effect/comparison/difference/value").asDouble())
                .isZero();
        assertThat(strategy.at("/effect/comparison/wins").asInt()).isZero();
        assertThat(strategy.at("/psi").asDouble())
                .isEqualTo(Json.mapper()
                        .readTree(ended.out())
                        .at("/strategies/0/psi")
                        .asDouble());
    }

    @Test
    void whatIsPrintedAsJsonFollowsItsSchema() throws IOException {
        Cli.Ended ended = mitigate("--model bm25 --strategies chunked,fused --format json");
        SchemaCheck.check("mitigation-2", ended.out());
    }

    @Test
    void withTheContentHeldFixedTheLossAtTheBackIsCompared() throws IOException {
        Cli.Ended table = mitigate(
                "--model bm25 --strategies chunked:window=16 --width 200 --costs --content-fixed 40 --places 7");
        assertThat(table.out())
                .contains("loss at back (change)", "bm25 on demo: costs", "ms/query")
                // Words have no order for BM25.
                .startsWith(
                        "On demo keep bm25 as it is: the same evidence loses 0.0% [0.0, 0.0] at the back; no strategy");
        JsonNode json = Json.mapper()
                .readTree(mitigate("--model bm25 --strategies chunked:window=16 --format json")
                        .out());
        assertThat(json.at("/strategies/0/loss").asDouble()).isZero();
        double loss = json.at("/strategies/1/loss").asDouble();
        assertThat(loss).isNotZero();
        assertThat(json.at("/strategies/1/loss_change/second").asDouble()).isCloseTo(loss, within(1e-12));
        assertThat(json.at("/strategies/1/loss_change/difference/value").asDouble())
                .isCloseTo(loss, within(1e-12));
    }

    /** Mirrored texts turn the planted bias around instead of removing it. */
    @Test
    void whatRepairsAPlantedBiasIsRecommendedWithItsLossBeforeAndAfter() throws IOException {
        Path planted = PlantedBenchmark.write(temp.resolve("planted"), 5, 60, true);
        Path refs = temp.resolve("refs");
        Cli.run("calibrate references --dataset", planted, "--reference reference-primacy-2 --out", refs)
                .ok();
        Cli.Ended ended = Cli.run(
                        "mitigate --dataset",
                        planted,
                        "--strategies mirrored,fused --content-fixed 80 --no-cache --width 400 --draws 200 --model",
                        refs.resolve("reference-primacy-2/recipe.yaml"),
                        "--results",
                        temp.resolve("results"))
                .ok();
        assertThat(ended.out())
                .as(ended.out())
                .containsPattern(
                        "^Recommended on planted: reference-primacy-2\\+fused \\(loss at the back [0-9.]+% .* -> ");
        assertThat(temp.resolve("results/planted/reference-primacy-2+mirrored/content-fixed.csv"))
                .exists();
    }

    @Test
    void theSameNumbersInEveryForm() throws IOException {
        String csv = mitigate("--model bm25 --format csv").out();
        JsonNode json =
                Json.mapper().readTree(mitigate("--model bm25 --format json").out());
        List<String> lines = csv.lines().toList();
        // The model, and windows of three sizes.
        assertThat(lines).hasSize(1 + 4);
        int column = List.of(lines.getFirst().split(",", -1)).indexOf("psi");
        assertThat(Double.parseDouble(lines.get(1).split(",", -1)[column]))
                .isEqualTo(json.at("/strategies/0/psi").asDouble());
        assertThat(mitigate("--model bm25 --format latex").out()).contains("\\begin{tabular}");
    }

    @Test
    void aLookAheadTellsWhatTheStrategiesWouldTake() throws IOException {
        Cli.Ended ahead = mitigate("--model bm25 --dry-run --format json");
        List<String> cells = cells(ahead);
        assertThat(cells).hasSize(4).allMatch(cell -> cell.contains("\"missing\""));
        assertThat(cells(Cli.run(
                        "eval --model bm25,bm25+chunked,bm25+chunked:window=64,bm25+chunked:window=32 --dataset",
                        demo(),
                        "--results",
                        temp.resolve("results"),
                        "--dry-run --format json")))
                .isEqualTo(cells);
        assertThat(temp.resolve("results")).doesNotExist();
        mitigate("--model bm25");
        assertThat(cells(mitigate("--model bm25 --dry-run --format json")))
                .hasSize(4)
                .allMatch(cell -> cell.contains("\"finished\""));
    }

    private static List<String> cells(Cli.Ended plan) throws IOException {
        return Json.mapper()
                .readTree(plan.out())
                .at("/cells")
                .valueStream()
                .map(cell -> cell.toString().replaceAll("\"seconds\":[^,}]*", ""))
                .toList();
    }

    @Test
    void refusesWhatMakesNoSenseBeforeAnythingRuns() {
        assertThat(mitigate("--model bm25 --strategies mirrored").err())
                .contains("mirrored does not fit bm25", "chunked or fused");
        assertThat(mitigate("--model bm25 --strategies chunked:stride=0").err())
                .contains("\"stride\" is 0", "from 1 to window");
        assertThat(mitigate("--model bm25 --strategies chunkd").err()).contains("unknown strategy \"chunkd\"");
        assertThat(mitigate("--model bm25 --strategies chunked,chunked").err())
                .contains("two models called bm25+chunked");
        assertThat(Files.exists(temp.resolve("results"))).isFalse();
    }
}
