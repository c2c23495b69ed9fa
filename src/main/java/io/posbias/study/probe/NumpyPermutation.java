package io.posbias.study.probe;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.random.MersenneTwister;

/**
 * NumPy's {@code RandomState(seed).permutation(n)}, number for number, as used (through pandas) by ColDeR's authors for
 * sampling.
 *
 * <p>MT19937 seeded by the 1812433253 recurrence. Position i, from the last down to 1, is swapped with a draw up to i: a 32-bit
 * output masked to the bits of i, redrawn while it is greater.
 */
public final class NumpyPermutation {
    private NumpyPermutation() {}

    /**
     * The numbers 0 to n - 1 in random order.
     *
     * @param seed 0 to 2^31 - 1
     */
    static int[] of(int n, int seed) {
        MersenneTwister twister = new MersenneTwister(seed);
        int[] numbers = new int[n];
        for (int i = 0; i < n; i++) {
            numbers[i] = i;
        }
        for (int i = n - 1; i > 0; i--) {
            int j = upTo(i, twister);
            int swap = numbers[i];
            numbers[i] = numbers[j];
            numbers[j] = swap;
        }
        return numbers;
    }

    private static int upTo(int bound, MersenneTwister twister) {
        int mask = (Integer.highestOneBit(bound) << 1) - 1;
        int draw;
        do {
            draw = twister.nextInt() & mask;
        } while (draw > bound);
        return draw;
    }

    /** The first {@code n} of a list in random order; all if there are fewer. */
    public static <T> List<T> draw(List<T> list, int n, int seed) {
        return Arrays.stream(of(list.size(), seed)).limit(n).mapToObj(list::get).toList();
    }
}
