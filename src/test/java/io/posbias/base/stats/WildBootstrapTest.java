package io.posbias.base.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WildBootstrapTest {
    private static double[][] parts(int clusters) {
        double[][] parts = new double[clusters][2];
        for (int cluster = 0; cluster < clusters; cluster++) {
            parts[cluster][0] = Math.sin(cluster + 1);
            parts[cluster][1] = 1 << Math.min(cluster, 20);
        }
        return parts;
    }

    @Test
    void manyClustersGetASignEach() {
        double[][] parts = new double[20][1];
        for (int cluster = 0; cluster < 20; cluster++) {
            parts[cluster][0] = 1 << cluster;
        }
        int all = (1 << 20) - 1;
        double[] drawn = WildBootstrap.errors(parts, 4_000, 3, 2)[0];
        // A sum of powers of two with signs names them all.
        int[] plus = new int[20];
        for (double sum : drawn) {
            int signs = ((int) sum + all) / 2;
            assertThat(2 * signs - all).isEqualTo((int) sum);
            for (int cluster = 0; cluster < 20; cluster++) {
                plus[cluster] += signs >> cluster & 1;
            }
        }
        assertThat(Arrays.stream(plus)).allSatisfy(count -> assertThat(count).isBetween(1870, 2130));
    }

    @Test
    void fewClustersGetWebbsWeights() {
        double[] drawn = WildBootstrap.errors(new double[][] {{1}}, 6_000, 3, 2)[0];
        assertThat(Arrays.stream(drawn).distinct().sorted().toArray())
                .containsExactly(
                        new double[] {
                            -1.2247448713915890, -1, -0.7071067811865476, 0.7071067811865476, 1, 1.2247448713915890
                        },
                        within(1e-15));
        assertThat(Moments.of(drawn).mean()).isCloseTo(0, within(0.05));
        assertThat(Moments.of(drawn).variance()).isCloseTo(1, within(0.05));
    }

    @Test
    void theSameSeedGivesTheSameDrawsOnAnyNumberOfThreads() {
        assertThat(WildBootstrap.errors(parts(70), 1050, 7, 4))
                .isDeepEqualTo(WildBootstrap.errors(parts(70), 1050, 7, 1));
    }
}
