package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Holm;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.RandomEffects;
import io.posbias.base.stats.RandomEffects.Weights;
import io.posbias.data.position.Bucketing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Do intervals over benchmarks hold the true loss, and do letters err as seldom as they say? Benchmarks have 30, 60, 120 and 240
 * passages in turn, each with one to six queries whose scores 0, 0.5 and 1 depend on each other by a Gaussian copula of 0.3. True
 * losses are normal on the log scale. Two cells here; all with {@code scripts/simulate}, whose table is in docs/statistics.md; each
 * number for benchmarks weighted equally, then by precision.
 */
class BenchmarkSimulationTest {
    private static final String FULL = "posbias.simulation";
    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);
    private static final Bucketing HALVES = Bucketing.parse("relative:2");
    private static final double CORRELATION = 0.3;
    private static final int MODELS = 4;

    /** Shares of replications. */
    private record Rates(double held, double rejected, double predicted, double letters) {}

    /** The passages and buckets of a benchmark's queries. */
    private static QueryBuckets benchmark(int number, SplittableRandom random) {
        List<String> passages = new ArrayList<>();
        for (int passage = 0; passage < 30 << number % 4; passage++) {
            int queries = 1 + random.nextInt(6);
            for (int query = 0; query < queries; query++) {
                passages.add("p" + passage);
            }
        }
        int[] bands = new int[passages.size()];
        Arrays.fill(bands, -1);
        int[][] buckets = IntStream.range(0, bands.length)
                .mapToObj(query -> new int[] {random.nextInt(2)})
                .toArray(int[][]::new);
        return new QueryBuckets(HALVES, buckets, bands, new Clustering(Clustering.By.PASSAGE, passages, List.of()));
    }

    /** Scores whose mean is {@code front} in the first bucket and {@code front * exp(-theta)} in the second. */
    private static double[] scores(QueryBuckets benchmark, double front, double theta, SplittableRandom random) {
        int[] passage = benchmark.clustering().clusters().of();
        double[] own = new double[passage[passage.length - 1] + 1];
        for (int i = 0; i < own.length; i++) {
            own[i] = ClusterSimulation.normal(random);
        }
        double[] scores = new double[passage.length];
        for (int query = 0; query < scores.length; query++) {
            double mean = benchmark.bucketsOf(query)[0] == 0 ? front : front * Math.exp(-theta);
            double u = NORMAL.cumulativeProbability(Math.sqrt(CORRELATION) * own[passage[query]]
                    + Math.sqrt(1 - CORRELATION) * ClusterSimulation.normal(random));
            scores[query] = u < 0.7 * mean ? 1 : u < 1.3 * mean ? 0.5 : 0;
        }
        return scores;
    }

    /** Draws scores, again where a mean is 0. */
    private static BackLoss loss(QueryBuckets placement, double front, double theta, SplittableRandom random) {
        BackLoss loss = null;
        while (loss == null) {
            loss = BackLoss.ofProfile(scores(placement, front, theta, random), placement);
        }
        return loss;
    }

    private static Map<Weights, Rates> simulate(int benchmarks, double tau, double loss, int replications, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double mu = -Math.log1p(-loss);
        // Only letters need more than one.
        int models = loss == 0 ? MODELS : 1;
        Map<Weights, double[]> counts = new EnumMap<>(Weights.class);
        for (Weights weights : Weights.values()) {
            counts.put(weights, new double[4]);
        }
        for (int replication = 0; replication < replications; replication++) {
            BackLoss[][] losses = new BackLoss[models][benchmarks];
            for (int benchmark = 0; benchmark < benchmarks; benchmark++) {
                QueryBuckets placement = benchmark(benchmark, random);
                double front = 0.25 + 0.15 * random.nextDouble();
                for (int model = 0; model < models; model++) {
                    double theta = mu + tau * ClusterSimulation.normal(random);
                    losses[model][benchmark] = loss(placement, front, theta, random);
                }
            }
            double next = mu + tau * ClusterSimulation.normal(random);
            counts.forEach((weights, own) -> {
                RandomEffects found = effects(losses[0], weights);
                Interval prediction = found.prediction();
                own[0] += found.mean().interval().holds(mu) ? 1 : 0;
                own[1] += found.mean().pValue() < 0.05 ? 1 : 0;
                own[2] += prediction != null && prediction.holds(next) ? 1 : 0;
                own[3] += isAnyBetter(losses, weights) ? 1 : 0;
            });
        }
        Map<Weights, Rates> rates = new EnumMap<>(Weights.class);
        counts.forEach((weights, own) -> rates.put(
                weights,
                new Rates(own[0] / replications, own[1] / replications, own[2] / replications, own[3] / replications)));
        return rates;
    }

    private static RandomEffects effects(BackLoss[] losses, Weights weights) {
        return RandomEffects.of(
                Arrays.stream(losses).mapToDouble(BackLoss::value).toArray(),
                Arrays.stream(losses).mapToDouble(BackLoss::standardError).toArray(),
                weights,
                0.95);
    }

    private static boolean isAnyBetter(BackLoss[][] losses, Weights weights) {
        List<Double> p = new ArrayList<>();
        for (int first = 0; first < losses.length; first++) {
            for (int second = first + 1; second < losses.length; second++) {
                BackLoss[] one = losses[first];
                BackLoss[] other = losses[second];
                p.add(effects(
                                IntStream.range(0, one.length)
                                        .mapToObj(i -> other[i].minus(one[i]))
                                        .toArray(BackLoss[]::new),
                                weights)
                        .mean()
                        .pValue());
            }
        }
        double[] adjusted =
                Holm.adjust(p.stream().mapToDouble(Double::doubleValue).toArray());
        return Arrays.stream(adjusted).anyMatch(each -> each < 0.05);
    }

    @Tag("slow")
    @Test
    @DisabledIfSystemProperty(named = FULL, matches = ".*")
    void twoCells() {
        // Four standard errors of 400 replications around 95 and 5 %.
        Rates rates = Objects.requireNonNull(simulate(5, 0.2, 0, 400, 3).get(Weights.EQUAL));
        assertThat(rates.held()).isBetween(0.905, 0.995);
        assertThat(rates.rejected()).isBetween(0.005, 0.095);
        assertThat(rates.letters()).isBetween(0.0, 0.095);
        assertThat(Objects.requireNonNull(simulate(5, 0.2, 0.25, 400, 4).get(Weights.PRECISION))
                        .held())
                .isBetween(0.905, 0.995);
    }

    @Test
    @EnabledIfSystemProperty(named = FULL, matches = ".*")
    void all() throws IOException {
        int replications = Integer.getInteger(FULL, 1000);
        StringBuilder table = new StringBuilder(
                "| benchmarks | tau | holds a loss of 25 % | prediction holds the next | p < .05, loss 0 | power, loss 10 % |"
                        + " any wrong letter |\n| --- | --- | --- | --- | --- | --- | --- |\n");
        long seed = 49;
        for (int benchmarks : new int[] {2, 3, 4, 5, 7, 10}) {
            for (double tau : new double[] {0, 0.05, 0.2}) {
                List<Map<Weights, Rates>> of = new ArrayList<>();
                for (double loss : new double[] {0.25, 0, 0.1}) {
                    of.add(simulate(benchmarks, tau, loss, replications, seed++));
                }
                String row = String.format(
                        Locale.ROOT,
                        "| %d | %.2f | %s | %s | %s | %s | %s |%n",
                        benchmarks,
                        tau,
                        both(of.get(0), Rates::held),
                        benchmarks == 2 ? "" : both(of.get(0), Rates::predicted),
                        both(of.get(1), Rates::rejected),
                        both(of.get(2), Rates::rejected),
                        both(of.get(1), Rates::letters));
                System.err.print(row);
                table.append(row);
            }
        }
        Files.writeString(Path.of("target/simulation-benchmarks.md"), table);
    }

    private static String both(Map<Weights, Rates> rates, ToDoubleFunction<Rates> rate) {
        return rates.values().stream()
                .map(own -> String.format(Locale.ROOT, "%.1f", 100 * rate.applyAsDouble(own)))
                .collect(Collectors.joining(", "));
    }
}
