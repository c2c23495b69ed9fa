package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code report over seeds}: three seeds of a model against textbook formulas. */
class ReportSeedsTest {
    private static final int QUERIES = 400;
    private static final int BUCKETS = 4;
    private static final int[] SEEDS = {42, 43, 44};

    /** The 97.5% quantile of Student's t with two degrees of freedom. */
    private static final double T = 4.302652729911275;

    @TempDir
    Path temp;

    @BeforeEach
    void write() throws IOException {
        for (int seed : SEEDS) {
            cell("tuned-" + seed, seed);
        }
        cell("start", 7);
    }

    private static double score(int seed, int query) {
        double noise = new SplittableRandom(1000L * seed + query).nextDouble();
        double mean = query % BUCKETS == BUCKETS - 1 ? 0.5 + 0.02 * (seed % 10) : 0.8;
        return mean + 0.2 * (noise - 0.5);
    }

    private void cell(String model, int seed) throws IOException {
        cell(model, seed, Map.of());
    }

    private void cell(String model, int seed, Map<String, Object> recipe) throws IOException {
        SyntheticCell cell = new SyntheticCell(QUERIES);
        cell.recipe.putAll(recipe);
        cell.model = model;
        cell.buckets = BUCKETS;
        cell.write(temp.resolve("results").resolve(model), query -> score(seed, query));
    }

    private Cli.Ended report(Object... more) {
        Object[] all = Stream.concat(Stream.of(temp.resolve("results")), Arrays.stream(more))
                .toArray();
        return Cli.run("report over seeds", all);
    }

    private static double mean(int seed, int bucket) {
        return IntStream.range(0, QUERIES)
                .filter(query -> query % BUCKETS == bucket)
                .mapToDouble(query -> score(seed, query))
                .average()
                .orElseThrow();
    }

    private static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
    }

    /** Names of a sweep over learning rates end with a number, too: sweep-1e-5 and sweep-1e-6. */
    @Test
    void aSweepIsNotSeeds() throws IOException {
        cell("sweep-1e-5", 1, Map.of("trained", Map.of("learning-rate", 1e-5, "data", "d")));
        cell("sweep-1e-6", 2, Map.of("trained", Map.of("learning-rate", 1e-6, "data", "d")));
        cell("both-42", 3, Map.of("trained", Map.of("learning-rate", 1e-5, "data", "d")));
        cell("both-43", 4, Map.of("trained", Map.of("learning-rate", 1e-5, "data", "d")));
        JsonNode models =
                Json.mapper().readTree(report("--format json").ok().out()).get("models");
        assertThat(models)
                .extracting(
                        model -> model.get("model").asString(),
                        model -> model.get("seeds").asInt())
                .containsExactlyInAnyOrder(
                        tuple("tuned", 3),
                        tuple("start", 1),
                        tuple("sweep-1e-5", 1),
                        tuple("sweep-1e-6", 1),
                        tuple("both", 2));
    }

    @Test
    void seedsHaveAMeanADeviationAndAnInterval() throws IOException {
        String text = report("--format json").ok().out();
        SchemaCheck.check("seed-spread-1", text);
        JsonNode models = Json.mapper().readTree(text).get("models");
        assertThat(models).hasSize(2);
        JsonNode tuned = models.get(0).get("model").asString().equals("tuned") ? models.get(0) : models.get(1);
        double[] losses = Arrays.stream(SEEDS)
                .mapToDouble(seed -> 1 - mean(seed, BUCKETS - 1) / mean(seed, 0))
                .toArray();
        double mean = Arrays.stream(losses).average().orElseThrow();
        JsonNode seeds = tuned.at("/loss/seeds");
        assertThat(tuned.get("seeds").asInt()).isEqualTo(SEEDS.length);
        assertThat(seeds.get("mean").asDouble()).isCloseTo(mean, within(1e-6));
        assertThat(seeds.get("deviation").asDouble()).isCloseTo(deviation(losses), within(1e-6));
        assertThat(seeds.at("/interval/1").asDouble())
                .isCloseTo(mean + T * deviation(losses) / Math.sqrt(SEEDS.length), within(1e-6));
        double[] ends = new double[2];
        for (int seed : SEEDS) {
            ends[0] += mean(seed, 0) / SEEDS.length;
            ends[1] += mean(seed, BUCKETS - 1) / SEEDS.length;
        }
        assertThat(tuned.at("/loss/estimate/value").asDouble()).isCloseTo(1 - ends[1] / ends[0], within(1e-6));
        assertThat(tuned.at("/loss/content_fixed").asBoolean()).isFalse();
        JsonNode start = models.get(0).get("model").asString().equals("start") ? models.get(0) : models.get(1);
        assertThat(start.get("seeds").asInt()).isEqualTo(1);
        assertThat(start.at("/mean/deviation").isMissingNode()).isTrue();
    }

    /** The scores averaged over seeds vary less than those of one. */
    @Test
    void theErrorOverQueriesIsThatOfAveragedScores() {
        JsonNode models =
                Json.mapper().readTree(report("--format json").ok().out()).get("models");
        double[] widths = new double[2];
        for (JsonNode model : models) {
            JsonNode interval = model.at("/loss/estimate/interval");
            widths[model.get("model").asString().equals("start") ? 0 : 1] =
                    interval.get(1).asDouble() - interval.get(0).asDouble();
        }
        assertThat(widths[1]).isBetween(0.4 * widths[0], 0.9 * widths[0]);
    }

    @Test
    void tablesFitAndNameTheSeeds() {
        String table = report().ok().out();
        assertThat(table.lines()).allMatch(line -> line.length() <= 80);
        assertThat(table).contains("tuned-42, tuned-43, tuned-44");
        assertThat(report("--format csv").ok().out().lines()).hasSize(3);
    }

    @Test
    void otherQueriesAndOneSeedAreRefused() throws IOException {
        SyntheticCell fewer = new SyntheticCell(QUERIES - BUCKETS);
        fewer.model = "tuned-45";
        fewer.buckets = BUCKETS;
        fewer.write(temp.resolve("results/tuned-45"), query -> 0.5 + query % 3 / 10.0);
        report().fails(2, "tuned-45");
        Cli.run("report over seeds", temp.resolve("results/start")).fails(2, "over seeds");
    }
}
