package io.posbias.report.mitigate;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Does the interval of the best of several strategies hold its gain? All cells with {@code scripts/simulate 1000 halves}. */
class HalvesSelectionTest {
    private static final String FULL = "posbias.simulation";

    /**
     * Gains of strategies on clusters, normal with a standard deviation of 1 and correlated by .5: differences from the same scores
     * of the model without strategy.
     *
     * @param spread standard deviation of the true gains, in standard errors of one
     */
    private record Case(int strategies, int clusters, double spread) {
        /** Shares of intervals that hold the truth, and mean error in standard errors: by halves, and of the best on all. */
        double[] simulate(int benchmarks, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] shares = new double[4];
            for (int i = 0; i < benchmarks; i++) {
                double[] truth = new double[strategies];
                for (int own = 0; own < strategies; own++) {
                    truth[own] = random.nextGaussian() * spread / Math.sqrt(clusters);
                }
                double[][] gains = new double[strategies][clusters];
                for (int cluster = 0; cluster < clusters; cluster++) {
                    double shared = random.nextGaussian();
                    for (int own = 0; own < strategies; own++) {
                        gains[own][cluster] = truth[own] + Math.sqrt(0.5) * (shared + random.nextGaussian());
                    }
                }
                Estimate[] first = estimates(gains, 0, clusters / 2);
                Estimate[] second = estimates(gains, clusters / 2, clusters);
                int one = HalvesSelection.best(first);
                int two = HalvesSelection.best(second);
                add(shares, 0, HalvesSelection.mean(second[one], first[two]), (truth[one] + truth[two]) / 2);
                Estimate[] all = estimates(gains, 0, clusters);
                int best = HalvesSelection.best(all);
                add(shares, 1, all[best], truth[best]);
            }
            return Arrays.stream(shares).map(sum -> sum / benchmarks).toArray();
        }

        private void add(double[] shares, int which, Estimate estimate, double truth) {
            shares[which] += estimate.interval().holds(truth) ? 1 : 0;
            shares[2 + which] += (estimate.value() - truth) * Math.sqrt(clusters);
        }

        private static Estimate[] estimates(double[][] gains, int from, int to) {
            Clusters single = Clusters.single(to - from);
            return Stream.of(gains)
                    .map(own -> Estimate.ofContrast(
                            Arrays.copyOfRange(own, from, to),
                            new int[][] {IntStream.range(0, to - from).toArray()},
                            new double[] {1},
                            single,
                            0.95))
                    .toArray(Estimate[]::new);
        }
    }

    @Test
    void theBestOfTenIsEstimatedWithoutItsLuck() {
        double[] shares = new Case(10, 60, 0).simulate(400, 3);
        assertThat(shares[0]).isBetween(0.92, 0.98);
        assertThat(Math.abs(shares[2])).isLessThan(0.2);
        assertThat(shares[1]).isLessThan(0.9);
        assertThat(shares[3]).isGreaterThan(0.8);
    }

    @Test
    @EnabledIfSystemProperty(named = FULL, matches = ".*")
    void halves() throws IOException {
        int benchmarks = 4 * Integer.getInteger(FULL, 1000);
        String rows = IntStream.of(1, 3, 10)
                .boxed()
                .flatMap(strategies -> IntStream.of(20, 60, 240)
                        .boxed()
                        .flatMap(clusters -> Stream.of(0.0, 1.0)
                                .map(spread -> row(new Case(strategies, clusters, spread), benchmarks))))
                .collect(Collectors.joining());
        Files.writeString(
                Path.of("target/simulation-halves.md"),
                "| strategies | clusters | spread of true gains | by halves | its error | best on all | its error |\n"
                        + "|--:|--:|--:|--:|--:|--:|--:|\n" + rows);
    }

    private static String row(Case of, int benchmarks) {
        double[] shares = of.simulate(benchmarks, 11);
        return String.format(
                Locale.ROOT,
                "| %d | %d | %.0f | %.1f | %+.2f | %.1f | %+.2f |%n",
                of.strategies,
                of.clusters,
                of.spread,
                100 * shares[0],
                shares[2],
                100 * shares[1],
                shares[3]);
    }
}
