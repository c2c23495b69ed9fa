package io.posbias.study.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumpyPermutationTest {
    @Test
    void isNumpysOwn() {
        // numpy.random.RandomState(0).permutation(476)[:8] and numpy.random.RandomState(1).permutation(411)[:8]
        assertThat(NumpyPermutation.of(476, 0)).startsWith(233, 159, 306, 352, 96, 436, 382, 289);
        assertThat(NumpyPermutation.of(411, 1)).startsWith(258, 29, 187, 292, 261, 197, 296, 218);
    }

    @Test
    void drawsAllOfAShortList() {
        List<String> all = List.of("a", "b", "c");
        assertThat(NumpyPermutation.draw(all, 250, 0)).containsExactlyInAnyOrderElementsOf(all);
        // numpy.random.RandomState(0).permutation(3) is 2, 1, 0.
        assertThat(NumpyPermutation.draw(all, 2, 0)).containsExactly("c", "b");
        assertThat(NumpyPermutation.draw(List.of(), 2, 0)).isEmpty();
    }
}
