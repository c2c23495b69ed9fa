package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Expected numbers: scipy.stats.spearmanr, kendalltau(method="exact") and counts of itertools.permutations. */
class CorrelationTest {
    @Test
    void equalsScipy() {
        Correlation plain = Correlation.spearman(new double[] {1, 2, 3, 4, 5, 6}, new double[] {2, 1, 4, 3, 6, 5});
        assertThat(plain.coefficient()).isCloseTo(0.8285714285714287, within(1e-12));
        assertThat(plain.pValue()).isEqualTo(42 / 720.0);
    }

    @Test
    void tiesShareTheirRank() {
        Correlation tied = Correlation.spearman(new double[] {1, 2, 2, 4, 5}, new double[] {10, 9, 9, 3, 1});
        assertThat(tied.coefficient()).isCloseTo(-1, within(1e-12));
        // Of 5! orders the one given and that with its tied values exchanged: reversed, other places are tied.
        assertThat(tied.pValue()).isEqualTo(2 / 120.0);
    }

    @Test
    void aConstantHasNoOrder() {
        assertThat(Correlation.spearman(new double[] {1, 1, 1}, new double[] {1, 2, 3})
                        .coefficient())
                .isNaN();
    }

    /** Expected: numpy's arctanh and tanh with sqrt((1 + rho^2 / 2) / (n - 3)), scipy's normal quantile. */
    @Test
    void theIntervalOfRhoIsBonettAndWrights() {
        Interval six = Objects.requireNonNull(Correlation.ofSpearman(0.8285714285714287, 6, 0.95));
        assertThat(six.low()).isCloseTo(-0.1272448957241561, within(1e-12));
        assertThat(six.high()).isCloseTo(0.9864823442496333, within(1e-12));
        Interval ten = Objects.requireNonNull(Correlation.ofSpearman(0.6242424242424243, 10, 0.95));
        assertThat(ten.low()).isCloseTo(-0.07767227607895007, within(1e-12));
        assertThat(ten.high()).isCloseTo(0.9124025126057348, within(1e-12));
        Interval wide = Objects.requireNonNull(Correlation.ofSpearman(0.8285714285714287, 6, 0.8));
        assertThat(wide.low()).isCloseTo(0.3149381726737918, within(1e-12));
    }

    @Test
    void noIntervalOfThreePairsNorOfAPerfectOrder() {
        assertThat(Correlation.ofSpearman(0.5, 3, 0.95)).isNull();
        assertThat(Correlation.ofSpearman(0.5, 4, 0.95)).isNotNull();
        assertThat(Correlation.ofSpearman(1 - 1e-16, 9, 0.95)).isNull();
        assertThat(Correlation.ofSpearman(-1, 9, 0.95)).isNull();
        assertThat(Correlation.ofSpearman(Double.NaN, 9, 0.95)).isNull();
    }

    /** Expected: counts of itertools.permutations with numpy's corrcoef, of values and of scipy's ranks, ties included. */
    @Test
    void fewPairsHaveAnExactP() {
        double[] x = {1, 2, 3, 4, 5, 6};
        double[] y = {2, 1, 4, 3, 6, 5};
        assertThat(Correlation.spearman(x, y).pValue()).isEqualTo(42 / 720.0);
        assertThat(Correlation.kendall(x, y).pValue()).isEqualTo(98 / 720.0);
        double[] tiedX = {1, 2, 2, 4, 5};
        double[] tiedY = {10, 9, 9, 3, 7};
        assertThat(Correlation.spearman(tiedX, tiedY).pValue()).isEqualTo(8 / 120.0);
        assertThat(Correlation.pearson(tiedX, tiedY).pValue()).isEqualTo(20 / 120.0);
        assertThat(Correlation.kendall(tiedX, tiedY).pValue()).isEqualTo(8 / 120.0);
        assertThat(Correlation.spearman(new double[] {1, 2, 3}, new double[] {1, 2, 3})
                        .pValue())
                .isEqualTo(2 / 6.0);
    }

    /** Of n! orders, two are as perfect: p is 1/3 for three pairs and 1/12 for four. */
    @Test
    void perfectOrdersOfFewAreNotCertain() {
        for (int n = 3; n <= 9; n++) {
            double[] x = IntStream.range(0, n).mapToDouble(i -> i * i).toArray();
            double[] y = IntStream.range(0, n).mapToDouble(i -> -i * i).toArray();
            double orders = LongStream.rangeClosed(1, n).reduce(1, (a, b) -> a * b);
            assertThat(Correlation.spearman(x, y)).isEqualTo(new Correlation(-1, 2 / orders));
            assertThat(Correlation.kendall(x, y)).isEqualTo(new Correlation(-1, 2 / orders));
        }
    }

    @Test
    void tenPairsHaveScipysP() {
        double[] x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        double[] y = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9};
        assertThat(Correlation.spearman(x, y).pValue()).isCloseTo(5.484052998513669e-05, within(1e-15));
        assertThat(Correlation.spearman(new double[] {1, 1, 1}, new double[] {1, 2, 3})
                        .pValue())
                .isNaN();
    }

    @Test
    void twoPairsAreTooFew() {
        assertThatThrownBy(() -> Correlation.spearman(new double[] {1, 2}, new double[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
