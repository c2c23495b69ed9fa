package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.model.encode.model.TokenVectors;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttributorTest {
    /** A special token, then two tokens, the second of two vectors. */
    private static final TokenVectors PASSAGE = new TokenVectors(
            new int[] {0, 3, 5}, new int[] {2, 4, 6}, new float[] {0, 1, 1, 0, 3, 0, 1, 0}, new int[] {-1, 0, 1, 1}, 2);

    private static Attributor.Contributions split(Attributor.Splitter splitter, TokenVectors passage, float... query) {
        boolean[] closed = new boolean[1];
        try (Attributor attributor = new Attributor(text -> passage, text -> query, splitter, () -> closed[0] = true)) {
            List<Attributor.Contributions> both = attributor.of("p", List.of("q", "q"));
            assertThat(both).hasSize(2);
            assertThat(both.getLast().values()).containsExactly(both.getFirst().values());
            return both.getFirst();
        } finally {
            assertThat(closed[0]).isTrue();
        }
    }

    @Test
    void aSumIsSplitByInnerProducts() {
        Attributor.Contributions parts = split(Attributor::byProduct, PASSAGE, 2, 5);
        assertThat(parts.values()).containsExactly(2, 8, 0);
        assertThat(parts.rest()).isEqualTo(5);
        assertThat(parts.score()).isEqualTo(15);
    }

    @Test
    void eachQueryTokenGoesToItsBestMatchAndOfEqualOnesToTheFirst() {
        // (2, 0): 0, 2, 6, 2; (0, -1): -1, 0, 0, 0, the first 0 is token 0's; (-1, 0.5): 0.5, special.
        Attributor.Contributions parts = split(Attributor.byMaximum(false), PASSAGE, 2, 0, 0, -1, -1, 0.5f);
        assertThat(parts.values()).containsExactly(0, 6, 0);
        assertThat(parts.rest()).isEqualTo(0.5);
        Attributor.Contributions tie = split(
                Attributor.byMaximum(false),
                new TokenVectors(new int[] {0, 1}, new int[] {1, 2}, new float[] {1, 0, 1, 0}, new int[] {0, 1}, 2),
                3,
                0);
        assertThat(tie.values()).containsExactly(3, 0);
    }

    /** A best match below 0 is kept, as MaxSim keeps it. */
    @Test
    void meansAndNegativeMatchesAreMaxSims() {
        TokenVectors one = new TokenVectors(new int[] {0}, new int[] {1}, new float[] {1, 0}, new int[] {0}, 2);
        Attributor.Contributions parts = split(Attributor.byMaximum(true), one, -3, 0, 1, 0);
        assertThat(parts.values()).containsExactly(new double[] {-1}, within(1e-12));
    }

    @Test
    void aPassageOfWhichNothingTakesPartAddsNothing() {
        TokenVectors none = new TokenVectors(new int[] {0}, new int[] {1}, new float[0], new int[0], 0);
        assertThat(split(Attributor.byMaximum(false), none, 1, 2).score()).isZero();
        assertThat(split(Attributor::byProduct, none, 1, 2).values()).containsExactly(0);
    }
}
