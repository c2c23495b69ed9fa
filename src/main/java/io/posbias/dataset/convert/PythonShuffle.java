package io.posbias.dataset.convert;

import java.util.Collections;
import java.util.List;
import org.apache.commons.math3.random.MersenneTwister;

/**
 * CPython's {@code random.seed(seed); random.shuffle(list)}, number for number, so that a published subset can be drawn
 * again. Holds for Python 3.2 and later and seeds from 0 to 2^31 - 1.
 *
 * <p>The generator is MT19937 seeded by {@code init_by_array([seed])}. The shuffle swaps position i, from the last down
 * to 1, with a draw below i + 1; a draw below m takes the top k bits of a 32-bit output, k being the bit length of m,
 * and draws again while the result is m or more.
 */
public final class PythonShuffle {
    private final MersenneTwister twister;

    /** Seeds the generator. */
    public PythonShuffle(int seed) {
        if (seed < 0) {
            throw new IllegalArgumentException("seed must not be negative: " + seed);
        }
        twister = new MersenneTwister(new int[] {seed});
    }

    /** Shuffles the list in place. */
    public <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            Collections.swap(list, i, below(i + 1));
        }
    }

    private int below(int bound) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bound);
        int draw;
        do {
            draw = twister.nextInt() >>> (Integer.SIZE - bits);
        } while (draw >= bound);
        return draw;
    }
}
