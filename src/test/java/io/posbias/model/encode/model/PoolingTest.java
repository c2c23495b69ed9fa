package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

class PoolingTest {
    /** Three tokens of two numbers, behind one number of another row. */
    private static final FloatBuffer VALUES = FloatBuffer.wrap(new float[] {9, 1, 10, 2, 20, 6, 60});

    private static float[] pool(Pooling pooling, int from) {
        return pooling.pool(VALUES, 1, from, 3, 2);
    }

    @Test
    void tokensAreWeightedByTheirPlaceInTheRow() {
        // (1 * 1 + 2 * 2 + 3 * 6) / 6, and without the first, which is of the prompt, (2 * 2 + 3 * 6) / 5
        assertThat(pool(Pooling.WEIGHTED_MEAN, 0)).containsExactly(23f / 6, 230f / 6);
        assertThat(pool(Pooling.WEIGHTED_MEAN, 1)).containsExactly(22f / 5, 44);
    }

    @Test
    void theSumIsDividedByTheRootOfTheLength() {
        assertThat(pool(Pooling.MEAN_SQRT_LEN, 0))
                .containsExactly((float) (9 / Math.sqrt(3)), (float) (90 / Math.sqrt(3)));
    }
}
