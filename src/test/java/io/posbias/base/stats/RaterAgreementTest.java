package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.stats.RaterAgreement.Agreement;
import io.posbias.base.stats.RaterAgreement.Metric;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Coefficients beside those of scripts/tests/ratings_golden.py (numpy and pandas). */
class RaterAgreementTest {
    private static final Fields GOLDEN = Json.readJson(Path.of("src/test/resources/ratings.json"));

    private static double[][] ratings(Fields golden) {
        return ((List<?>) Objects.requireNonNull(golden.raw("ratings")))
                .stream()
                        .map(row -> ((List<?>) row)
                                .stream()
                                        .mapToDouble(value ->
                                                value instanceof Number number ? number.doubleValue() : Double.NaN)
                                        .toArray())
                        .toArray(double[][]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two", "three", "published"})
    void coefficientsEqualNumpys(String name) {
        Fields golden = GOLDEN.record(name);
        double[][] ratings = ratings(golden);
        assertThat(RaterAgreement.alpha(ratings, Metric.ORDINAL))
                .isCloseTo(golden.number("alpha_ordinal"), within(1e-12));
        assertThat(RaterAgreement.alpha(ratings, Metric.INTERVAL))
                .isCloseTo(golden.number("alpha_interval"), within(1e-12));
        assertThat(RaterAgreement.kappa(ratings)).isCloseTo(golden.number("kappa"), within(1e-12));
        assertThat(RaterAgreement.spearman(ratings)).isCloseTo(golden.number("spearman"), within(1e-12));
        assertThat(RaterAgreement.within(ratings, 1)).isCloseTo(golden.number("within_1"), within(1e-12));
        assertThat(RaterAgreement.meanAbsoluteDifference(ratings)).isCloseTo(golden.number("mae"), within(1e-12));
    }

    /** Krippendorff 2011, section C, prints .815 and .849. */
    @Test
    void alphaIsAsPublished() {
        double[][] ratings = ratings(GOLDEN.record("published"));
        assertThat(RaterAgreement.alpha(ratings, Metric.ORDINAL)).isCloseTo(0.815, within(5e-4));
        assertThat(RaterAgreement.alpha(ratings, Metric.INTERVAL)).isCloseTo(0.849, within(5e-4));
    }

    /**
     * Kappa and its standard error of statsmodels (scripts/tests/answers_golden.py): Fleiss, Cohen and Everitt's variance, with n - 1
     * for n, as it is of clusters.
     */
    @Test
    void kappaOfTwoRatersHasTheIntervalOfStatsmodels() {
        List<Fields> golden =
                Json.readJson(Path.of("src/test/resources/answers.json")).records("kappas");
        assertThat(golden).hasSize(3);
        for (Fields row : golden) {
            boolean[] first = booleans(row, "first");
            boolean[] second = booleans(row, "second");
            int n = first.length;
            Agreement single = RaterAgreement.kappa(first, second, Clusters.single(n), 0.95);
            assertThat(Objects.requireNonNull(single.value())).isCloseTo(row.number("kappa"), within(1e-12));
            Interval interval = Objects.requireNonNull(single.interval());
            double t = new TDistribution(n - 1).inverseCumulativeProbability(0.975);
            double half = t * row.number("standard_error") * Math.sqrt(n / (n - 1.0));
            assertThat(interval.low()).isCloseTo(row.number("kappa") - half, within(1e-9));
            assertThat(interval.high()).isCloseTo(row.number("kappa") + half, within(1e-9));
        }
    }

    /** Each reply twice in its cluster is no more than once. */
    @Test
    void repliesOfAClusterCountOnce() {
        Fields row = Json.readJson(Path.of("src/test/resources/answers.json"))
                .records("kappas")
                .getFirst();
        boolean[] first = booleans(row, "first");
        boolean[] second = booleans(row, "second");
        int n = first.length;
        Agreement single = RaterAgreement.kappa(first, second, Clusters.single(n), 0.95);
        int[] of = IntStream.range(0, 2 * n).map(i -> i % n).toArray();
        boolean[] firsts = new boolean[2 * n];
        boolean[] seconds = new boolean[2 * n];
        for (int i = 0; i < 2 * n; i++) {
            firsts[i] = first[i % n];
            seconds[i] = second[i % n];
        }
        Agreement twice = RaterAgreement.kappa(firsts, seconds, new Clusters(of, n), 0.95);
        assertThat(Objects.requireNonNull(twice.interval()).low())
                .isCloseTo(Objects.requireNonNull(single.interval()).low(), within(1e-12));
    }

    @Test
    void kappaWithoutVarietyIsUndefined() {
        boolean[] all = {true, true, true};
        assertThat(RaterAgreement.kappa(all, all, Clusters.single(3), 0.95)).isEqualTo(new Agreement(null, null));
        assertThat(RaterAgreement.kappa(new boolean[0], new boolean[0], Clusters.single(0), 0.95))
                .isEqualTo(new Agreement(null, null));
    }

    private static boolean[] booleans(Fields row, String name) {
        List<Integer> numbers = row.integers(name);
        boolean[] all = new boolean[numbers.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = numbers.get(i) == 1;
        }
        return all;
    }

    @Test
    void equalRatingsHaveNoCoefficients() {
        double[][] ratings = {{3, 3}, {3, 3}, {3, 3}};
        assertThat(RaterAgreement.alpha(ratings, Metric.ORDINAL)).isNaN();
        assertThat(RaterAgreement.kappa(ratings)).isNaN();
        assertThat(RaterAgreement.spearman(ratings)).isNaN();
        assertThat(RaterAgreement.estimate(ratings, RaterAgreement::kappa, 10, 1, 0.95)
                        .interval())
                .isNull();
        assertThat(RaterAgreement.within(ratings, 0)).isEqualTo(1);
    }

    /** The share within 1 is that of a binomial distribution with n = 40 and p = 0.9. */
    @Test
    void intervalsAreThoseOfABootstrapOverItems() {
        double[][] ratings = ratings(GOLDEN.record("two"));
        Agreement share = RaterAgreement.estimate(ratings, all -> RaterAgreement.within(all, 1), 4000, 42, 0.95);
        assertThat(share.value()).isEqualTo(0.9);
        Interval interval = Objects.requireNonNull(share.interval());
        assertThat(interval.low()).isCloseTo(0.8, within(0.026));
        assertThat(interval.high()).isCloseTo(0.975, within(0.026));
        assertThat(RaterAgreement.estimate(ratings, RaterAgreement::kappa, 50, 42, 0.95))
                .isEqualTo(RaterAgreement.estimate(ratings, RaterAgreement::kappa, 50, 42, 0.95));
    }
}
