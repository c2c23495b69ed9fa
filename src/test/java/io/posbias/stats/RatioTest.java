package io.posbias.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RatioTest {
    private static final double[] A = {1, 2, 4};
    private static final double[] B = {2, 3, 3};

    /**
     * R = 7/8; residuals (a - R b) / (8/3) are -9/32, -15/64, 33/64; their variance is 0.19995, the standard error
     * 0.258167; t(0.975, 2) = 4.302653.
     */
    @Test
    void theSpreadIsThatOfResiduals() {
        Estimate ratio = Estimate.ofRatio(A, B, Clusters.single(3), 0.95);
        assertThat(ratio.value()).isCloseTo(0.875, within(1e-12));
        assertThat(ratio.interval().high() - ratio.value()).isCloseTo(4.302653 * 0.258167, within(1e-5));
        assertThat(ratio.value() - ratio.interval().low()).isCloseTo(4.302653 * 0.258167, within(1e-5));
    }

    @Test
    void overOnesItIsAMean() {
        double[] ones = {1, 1, 1};
        Estimate mean = Moments.of(A).estimate(0.9);
        Estimate ratio = Estimate.ofRatio(A, ones, Clusters.single(3), 0.9);
        assertThat(ratio.value()).isCloseTo(mean.value(), within(1e-12));
        assertThat(ratio.interval().low()).isCloseTo(mean.interval().low(), within(1e-12));
        assertThat(ratio.pValue()).isCloseTo(mean.pValue(), within(1e-12));
    }

    /** The first two together: residuals -33/64 and 33/64; CR2: sqrt((33/64)^2 (3 + 3 / 2)) / 3, and one degree of freedom. */
    @Test
    void rowsOfAClusterCountAsOne() {
        Estimate ratio = Estimate.ofRatio(A, B, Clusters.named(List.of("x", "x", "y")), 0.95);
        double error = Math.sqrt(4.5) * 33 / 64.0 / 3;
        assertThat(ratio.interval().high() - ratio.value()).isCloseTo(12.706205 * error, within(1e-5));
        assertThatThrownBy(() -> Estimate.ofRatio(A, B, Clusters.named(List.of("x", "x", "x")), 0.95))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
