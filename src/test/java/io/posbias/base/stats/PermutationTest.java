package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
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
