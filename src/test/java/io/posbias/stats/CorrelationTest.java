package io.posbias.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Expected numbers: scipy.stats.spearmanr 1.x. */
class CorrelationTest {
    @Test
    void equalsScipy() {
        Correlation plain = Correlation.spearman(new double[] {1, 2, 3, 4, 5, 6}, new double[] {2, 1, 4, 3, 6, 5});
        assertThat(plain.coefficient()).isCloseTo(0.8285714285714287, within(1e-12));
        assertThat(plain.pValue()).isCloseTo(0.04156268221574334, within(1e-12));
    }

    @Test
    void tiesShareTheirRank() {
        Correlation tied = Correlation.spearman(new double[] {1, 2, 2, 4, 5}, new double[] {10, 9, 9, 3, 1});
        assertThat(tied.coefficient()).isCloseTo(-1, within(1e-12));
        assertThat(tied.pValue()).isCloseTo(0, within(1e-12));
    }

    @Test
    void aConstantHasNoOrder() {
        assertThat(Correlation.spearman(new double[] {1, 1, 1}, new double[] {1, 2, 3})
                        .coefficient())
                .isNaN();
    }

    @Test
    void twoPairsAreTooFew() {
        assertThatThrownBy(() -> Correlation.spearman(new double[] {1, 2}, new double[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
