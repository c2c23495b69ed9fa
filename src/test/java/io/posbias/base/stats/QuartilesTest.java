package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuartilesTest {
    /** {@code numpy.quantile([10, 1, 2, 4, 3, 20], [.25, .5, .75])} gives 2.25, 3.5, 8.5. */
    @Test
    void quartilesAreNumpys() {
        assertThat(Quartiles.of(IntStream.of(10, 1, 2, 4, 3, 20)))
                .isEqualTo(new Quartiles(6, 40, 1, 2.25, 3.5, 8.5, 20, 40 / 6.0));
    }

    @Test
    void oneValueAndNone() {
        assertThat(Quartiles.of(IntStream.of(7))).isEqualTo(new Quartiles(1, 7, 7, 7, 7, 7, 7, 7));
        assertThat(Quartiles.of(IntStream.empty()).count()).isZero();
    }

    /** Sums of millions of lengths are more than an int holds. */
    @Test
    void totalsAreLong() {
        assertThat(Quartiles.of(IntStream.of(Integer.MAX_VALUE, Integer.MAX_VALUE))
                        .mean())
                .isEqualTo(Integer.MAX_VALUE);
    }
}
