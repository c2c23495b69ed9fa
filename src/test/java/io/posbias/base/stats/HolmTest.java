package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HolmTest {
    /** R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
    @Test
    void equalsR() {
        assertThat(Holm.adjust(new double[] {0.01, 0.04, 0.03, 0.005}))
                .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
    }

    @Test
    void neverExceedsOneAndKeepsTies() {
        assertThat(Holm.adjust(new double[] {0.9, 0.9, 0.2})).containsExactly(new double[] {1, 1, 0.6}, within(1e-12));
        assertThat(Holm.adjust(new double[0])).isEmpty();
    }
}
