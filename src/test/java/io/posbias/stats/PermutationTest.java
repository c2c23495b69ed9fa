package io.posbias.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PermutationTest {
    @Test
    void everyOrderIsEquallyLikely() {
        double[] values = {1, 2, 3};
        Map<Double, Integer> counts = new HashMap<>();
        double[] drawn = Permutation.draw(
                values, 60_000, 42, 2, () -> shuffled -> 100 * shuffled[0] + 10 * shuffled[1] + shuffled[2]);
        Arrays.stream(drawn).forEach(order -> counts.merge(order, 1, Integer::sum));
        assertThat(counts).hasSize(6);
        // 10,000 each; the standard deviation of a count is about 91.
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(9500, 10_500));
    }

    @Test
    void theSameSeedGivesTheSameDrawsOnAnyNumberOfThreads() {
        double[] values = new Random(1).doubles(100).toArray();
        double[] one = Permutation.draw(values, 1050, 7, 1, () -> shuffled -> shuffled[0]);
        double[] four = Permutation.draw(values, 1050, 7, 4, () -> shuffled -> shuffled[0]);
        assertThat(four).isEqualTo(one);
        assertThat(Permutation.draw(values, 1050, 8, 4, () -> shuffled -> shuffled[0]))
                .isNotEqualTo(one);
    }

    /** Two clusters of two rows and one of one: what a cluster holds stays together, and its order is random. */
    @Test
    void clustersExchangeAllTheyHold() {
        double[] values = {1, 3, 2, 4, 9};
        Clusters clusters = new Clusters(new int[] {0, 1, 0, 1, 2}, 3);
        Map<Double, Integer> counts = new HashMap<>();
        double[] drawn = Permutation.draw(values, clusters, 48_000, 42, 2, () -> shuffled -> {
            double first = 10 * shuffled[0] + shuffled[2];
            double second = 10 * shuffled[1] + shuffled[3];
            return 1000 * first + 10 * second + shuffled[4];
        });
        Arrays.stream(drawn).forEach(order -> counts.merge(order, 1, Integer::sum));
        // Of 3! orders of clusters each has two orders within {1, 2} and {3, 4}; 9 fills two rows, and one row takes
        // one of two.
        assertThat(counts).hasSize(24);
        assertThat(counts).containsKeys(12_000 + 340 + 9.0, 99_000 + 120 + 3.0, 43_000 + 990 + 2.0);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(1800, 2200));
        assertThat(values).containsExactly(1, 3, 2, 4, 9);
        assertThat(Permutation.draw(values, clusters, 1050, 7, 4, () -> shuffled -> shuffled[0]))
                .isEqualTo(Permutation.draw(values, clusters, 1050, 7, 1, () -> shuffled -> shuffled[0]));
    }

    /** Each cluster of a block of ten takes what another holds, the last one first, and shuffles it; lists in place of one array. */
    @Test
    void clustersExchangeInTheOrderDescribed() {
        Random random = new Random(3);
        int[] of = random.ints(90, 0, 23).toArray();
        System.arraycopy(IntStream.range(0, 23).toArray(), 0, of, 0, 23);
        Clusters clusters = new Clusters(of, 23);
        double[] values = random.doubles(of.length).toArray();
        List<double[]> drawn = Collections.synchronizedList(new ArrayList<>());
        Permutation.draw(values, clusters, 150, 8, 1, () -> shuffled -> {
            drawn.add(shuffled.clone());
            return 0;
        });
        List<double[]> expected = new ArrayList<>();
        int[][] rows = clusters.bySize();
        List<List<Double>> held = new ArrayList<>();
        SeededStreams.run(150, 8, 1, () -> (number, stream) -> {
            if (number % 100 == 0) {
                held.clear();
                Arrays.stream(rows)
                        .forEach(own -> held.add(new ArrayList<>(
                                Arrays.stream(own).mapToObj(row -> values[row]).toList())));
            }
            for (int from = 0; from < 23; from += 10) {
                for (int i = Math.min(23, from + 10) - 1; i >= from; i--) {
                    Collections.swap(held, i, from + SeededStreams.below(i - from + 1, stream));
                    for (int j = held.get(i).size() - 1; j > 0; j--) {
                        Collections.swap(held.get(i), j, SeededStreams.below(j + 1, stream));
                    }
                }
            }
            double[] shuffled = new double[values.length];
            for (int cluster = 0; cluster < 23; cluster++) {
                for (int i = 0; i < rows[cluster].length; i++) {
                    shuffled[rows[cluster][i]] =
                            held.get(cluster).get(i % held.get(cluster).size());
                }
            }
            expected.add(shuffled);
        });
        assertThat(drawn).usingElementComparator(Arrays::compare).isEqualTo(expected);
    }

    @Test
    void leavesTheValuesAsTheyAre() {
        double[] values = {3, 1, 2};
        Permutation.draw(values, 100, 1, 1, () -> shuffled -> shuffled[0]);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void pValuesCountTheObservedOrderItself() {
        assertThat(Permutation.pValue(3, new double[] {1, 2, 3, 4})).isCloseTo(3 / 5.0, within(1e-12));
        double roundedDown = Math.nextDown(0.3);
        assertThat(Permutation.pValue(0.3, new double[] {roundedDown, 0.29})).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(Permutation.pValue(9, new double[] {1, 2, 3, 4})).isCloseTo(1 / 5.0, within(1e-12));
    }

    /** Under the null hypothesis the test at 5 % rejects in about 5 % of simulated data sets. */
    @Test
    void errsAsOftenAsItSays() {
        int rejected = 0;
        int simulations = 1000;
        Random random = new Random(5);
        for (int i = 0; i < simulations; i++) {
            double[] values = random.doubles(40).toArray();
            double observed = difference(values);
            double[] drawn = Permutation.draw(values, 199, i, 1, () -> PermutationTest::difference);
            if (Permutation.pValue(observed, drawn) <= 0.05) {
                rejected++;
            }
        }
        // Three standard deviations of a binomial count around 50.
        assertThat(rejected).isBetween(29, 71);
    }

    private static double difference(double[] values) {
        double first = Arrays.stream(values, 0, 20).average().orElseThrow();
        double second = Arrays.stream(values, 20, 40).average().orElseThrow();
        return Math.abs(first - second);
    }
}
