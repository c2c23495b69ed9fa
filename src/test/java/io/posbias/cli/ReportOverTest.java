package io.posbias.cli;

import static io.posbias.base.stats.RandomEffects.Weights.EQUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.api.LossOverBenchmarks;
import io.posbias.base.json.Json;
import io.posbias.base.stats.RandomEffects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code report over benchmarks}: its numbers, its tiers, and what it leaves out. */
class ReportOverTest {
    private static final int QUERIES = 400;
    private static final int BUCKETS = 4;
    private static final double[] LOSSES = {0.3, 0.35, 0.25, 0.32};

    @TempDir
    Path temp;

    /** Of four benchmarks: "steady" loses nothing, "falling" loses the share at the back. */
    @BeforeEach
    void write() throws IOException {
        for (int benchmark = 0; benchmark < LOSSES.length; benchmark++) {
            cell("steady", benchmark, 0);
            cell("falling", benchmark, LOSSES[benchmark]);
        }
    }

    private static double score(int seed, int query, double loss) {
        double noise = new SplittableRandom(1000L * seed + query).nextDouble();
        double mean = query % BUCKETS == BUCKETS - 1 ? 0.8 * (1 - loss) : 0.8;
        return Math.clamp(mean + 0.2 * (noise - 0.5), 0, 1);
    }

    private Path cell(String model, int benchmark, double loss) throws IOException {
        SyntheticCell cell = new SyntheticCell(QUERIES);
        cell.model = model;
        cell.dataset = "set" + benchmark;
        cell.idPrefix = "b" + benchmark + "-";
        cell.buckets = BUCKETS;
        int seed = benchmark + 10 * model.length();
        return cell.write(
                temp.resolve("results").resolve(model).resolve(cell.dataset), query -> score(seed, query, loss));
    }

    private String report(Object... more) {
        return Cli.run("report over benchmarks", temp.resolve("results"), more)
                .ok()
                .out();
    }

    private JsonNode json(Object... more) throws IOException {
        String text = report("--format json", more);
        SchemaCheck.check("benchmark-losses-2", text);
        return Json.mapper().readTree(text);
    }

    /** Means and variances of both buckets by their textbook formulas. */
    @Test
    void aLossIsThatOfTheLastBucketWithTheErrorOfIndependentQueries() throws IOException {
        JsonNode line = json().at("/models/0/benchmarks/0");
        int seed = 10 * line.get("model").asString().length();
        double loss = line.get("model").asString().equals("falling") ? LOSSES[0] : 0;
        double[] mean = new double[2];
        double[] error = new double[2];
        for (int end = 0; end < 2; end++) {
            List<Double> scores = new ArrayList<>();
            for (int query = end * (BUCKETS - 1); query < QUERIES; query += BUCKETS) {
                scores.add(score(seed, query, loss));
            }
            double own = scores.stream().mapToDouble(s -> s).average().orElseThrow();
            double squares =
                    scores.stream().mapToDouble(s -> (s - own) * (s - own)).sum();
            mean[end] = own;
            error[end] = squares / (scores.size() - 1) / scores.size() / (own * own);
        }
        assertThat(line.at("/loss/value").asDouble()).isCloseTo(1 - mean[1] / mean[0], within(1e-6));
        assertThat(line.get("standard_error").asDouble()).isCloseTo(Math.sqrt(error[0] + error[1]), within(1e-6));
        assertThat(line.get("queries").asInt()).isEqualTo(QUERIES / 2);
    }

    @ParameterizedTest
    @EnumSource(RandomEffects.Weights.class)
    void theEstimateIsThatOfRandomEffectsOfTheLogarithms(RandomEffects.Weights weights) throws IOException {
        JsonNode found = json("--weights " + weights);
        assertThat(found.get("weights").asString()).isEqualTo(weights.toString());
        assertThat(report("--weights " + weights))
                .contains("benchmarks weighted " + (weights == EQUAL ? "equally" : "by precision"));
        for (JsonNode model : found.get("models")) {
            JsonNode lines = model.get("benchmarks");
            double[] effects = new double[lines.size()];
            double[] errors = new double[lines.size()];
            for (int i = 0; i < effects.length; i++) {
                effects[i] = -Math.log1p(-lines.get(i).at("/loss/value").asDouble());
                errors[i] = lines.get(i).get("standard_error").asDouble();
            }
            RandomEffects expected = RandomEffects.of(effects, errors, weights, 0.95);
            JsonNode over = model.get("over");
            assertThat(over.at("/loss/value").asDouble())
                    .isCloseTo(1 - Math.exp(-expected.mean().value()), within(1e-9));
            assertThat(over.at("/loss/interval/1").asDouble())
                    .isCloseTo(1 - Math.exp(-expected.mean().interval().high()), within(1e-9));
            assertThat(over.at("/over/tau").asDouble()).isCloseTo(expected.tau(), within(1e-9));
            assertThat(over.at("/over/share").asDouble()).isCloseTo(expected.share(), within(1e-9));
        }
    }

    @Test
    void lettersNameModelsWithALargerLoss() throws IOException {
        JsonNode pair = json().at("/comparisons/0");
        assertThat(pair.get("holm_p_value").asDouble()).isLessThan(0.01);
        assertThat(pair.get("benchmarks").asInt()).isEqualTo(4);
        String table = report();
        assertThat(table.lines()).allMatch(line -> line.length() <= 80);
        String steady = table.lines()
                .filter(line -> line.matches("[ab] steady .*"))
                .findFirst()
                .orElseThrow();
        String falling = table.lines()
                .filter(line -> line.matches("[ab] falling .*"))
                .findFirst()
                .orElseThrow();
        assertThat(steady).matches(".* " + falling.charAt(0) + " .*");
        assertThat(falling).doesNotMatch(".* " + steady.charAt(0) + " .*");
    }

    @Test
    void csvHasALineForEachBenchmarkAndOneForAll() {
        List<String> lines = report("--format csv").lines().toList();
        assertThat(lines).hasSize(1 + 2 * (LOSSES.length + 1));
        assertThat(lines.getFirst())
                .isEqualTo("model,dataset,queries,clusters,loss,loss_low,loss_high,loss_p_value,standard_error,"
                        + "over_benchmarks,over_tau,over_share,over_prediction_low,over_prediction_high");
        assertThat(lines.stream().filter(line -> line.contains(",all benchmarks,")))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"markdown", "latex"})
    void otherFormats(String format) {
        assertThat(report("--format", format)).contains("falling", "steady", "set3");
    }

    @Test
    void theForestPlot() {
        report("--plots", temp.resolve("plots"));
        assertThat(temp.resolve("plots/loss-over-benchmarks.svg"))
                .content()
                .contains("set0", "set3", "all benchmarks", "falling");
        assertThat(temp.resolve("plots/loss-over-benchmarks.png")).exists();
    }

    @Test
    void weightsOfAPageNeedBenchmarks() {
        Cli.run("report page", temp.resolve("results"), "--weights precision")
                .fails(2, "--weights", "--over-benchmarks");
    }

    @Test
    void oneBenchmarkIsRefused() {
        Cli.run("report over benchmarks", temp.resolve("results"), "--dataset set0")
                .fails(2, "over benchmarks", "two benchmarks");
    }

    @Test
    void aModelWithOneBenchmarkIsNamed() throws IOException {
        cell("single", 0, 0.1);
        assertThat(report()).contains("single is left out: it has one benchmark, set0");
    }

    @Test
    void benchmarksOfTheSameQueriesAreNamed() throws IOException {
        SyntheticCell cell = new SyntheticCell(QUERIES);
        cell.model = "steady";
        cell.dataset = "translated";
        cell.idPrefix = "b0-";
        cell.buckets = BUCKETS;
        cell.write(temp.resolve("results/steady/translated"), query -> score(99, query, 0));
        assertThat(report().replaceAll("\\s+", " ")).contains("set0 and translated share 400 query identifiers");
    }

    @Test
    void fewClustersAreLeftOut() throws IOException {
        SyntheticCell cell = new SyntheticCell(12);
        cell.model = "steady";
        cell.dataset = "small";
        cell.buckets = BUCKETS;
        cell.write(temp.resolve("results/steady/small"), query -> score(98, query, 0));
        assertThat(report().replaceAll("\\s+", " ")).contains("steady on small is left out: too few clusters (6)");
    }

    @Test
    void theJavaApi() throws IOException {
        List<LossOverBenchmarks> losses =
                io.posbias.api.Posbias.lossOverBenchmarks("nDCG@10", List.of(temp.resolve("results")));
        JsonNode over = json().at("/models/0/over");
        assertThat(losses).hasSize(2);
        assertThat(losses.getFirst().model()).isEqualTo(over.get("model").asString());
        assertThat(losses.getFirst().value()).isEqualTo(over.at("/loss/value").asDouble());
        assertThat(losses.getFirst().tau()).isEqualTo(over.at("/over/tau").asDouble());
    }

    /** Two samples of one benchmark under two names, and a plain result under a third. */
    @Test
    void contentHeldFixedIsNotMixedWithProfiles() throws IOException {
        Path refs = temp.resolve("refs");
        Cli.run("calibrate references --dataset demo --reference reference-primacy-2 --out", refs)
                .ok();
        Path primacy = refs.resolve("reference-primacy-2/recipe.yaml");
        String eval = "eval --dataset demo --draws 100 --no-cache --model bm25," + primacy + " --results";
        Path cells = temp.resolve("cells");
        Cli.run(eval, cells.resolve("0"), "--content-fixed 80").ok();
        Cli.run(eval, cells.resolve("1"), "--content-fixed 100 --seed 7").ok();
        Cli.run(eval, cells.resolve("2")).ok();
        for (int sample = 0; sample < 3; sample++) {
            for (String model : List.of("bm25", "reference-primacy-2")) {
                Path file = cells.resolve(sample + "/demo/" + model + "/result.json");
                String name = "\"dataset\" : \"sample" + sample + "\"";
                Files.writeString(file, Files.readString(file).replace("\"dataset\" : \"demo\"", name));
            }
        }
        JsonNode found = Json.mapper()
                .readTree(Cli.run("report over benchmarks", cells, "--format json")
                        .ok()
                        .out());
        assertThat(found.get("content_fixed").asBoolean()).isTrue();
        assertThat(found.get("notes").toString())
                .contains("2 results without scores by place left out", "bm25 has no estimate");
        for (JsonNode model : found.get("models")) {
            boolean blind = model.get("model").asString().equals("bm25");
            assertThat(model.at("/over/loss").isNull()).isEqualTo(blind);
            assertThat(model.get("benchmarks").size()).isEqualTo(2);
            for (int sample = 0; sample < 2; sample++) {
                JsonNode own = Json.mapper()
                        .readTree(Files.readString(cells.resolve(
                                sample + "/demo/" + model.get("model").asString() + "/result.json")))
                        .at("/results/0/profiles/0/content_fixed/loss/score/loss");
                JsonNode line = model.at("/benchmarks/" + sample + "/loss");
                for (String part : List.of("/value", "/interval/0", "/interval/1", "/p_value")) {
                    assertThat(line.at(part).asDouble()).isCloseTo(own.at(part).asDouble(), within(1e-6));
                }
            }
        }
    }
}
