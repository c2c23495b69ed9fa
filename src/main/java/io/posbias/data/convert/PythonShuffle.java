package io.posbias.data.convert;

import java.util.Collections;
import java.util.List;
import org.apache.commons.math3.random.MersenneTwister;

/**
 * CPython's {@code random.seed(seed); random.shuffle(list)}, number for number, to reproduce published subsets. For
 * Python 3.2 and later and seeds from 0 to 2^31 - 1.
 *
 * <p>MT19937 seeded by {@code init_by_array([seed])}; position i, from the last to 1, is swapped with a draw below i
 * + 1. A draw below m takes the top bits of a 32-bit output, as many as m has, and is repeated while it is m or
 * more.
 */
public final class PythonShuffle {
    private final MersenneTwister twister;

    public PythonShuffle(int seed) {
        if (seed < 0) {
            throw new IllegalArgumentException("seed must not be negative: " + seed);
        }
        twister = new MersenneTwister(new int[] {seed});
    }

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
