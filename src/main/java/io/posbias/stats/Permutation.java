package io.posbias.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The permutation test. Null hypothesis: the values do not depend on their places, so every order of them was equally
 * likely; the statistic is compared with its values over random orders (Fisher 1935; Phipson and Smyth 2010 for the
 * p-value).
 */
public final class Permutation {
    private static final double ROUNDING = 1e-12;

    private Permutation() {}

    /**
     * The statistic over random orders of the values.
     *
     * @param values what is shuffled; left as it is
     * @param draws how many orders, at least 1
     * @param seed the same seed gives the same draws, whatever the number of threads
     * @param statistics makes one statistic for each thread; it is given the shuffled values and must not change them
     * @return the statistic of each draw, in the order of draws
     */
    public static double[] draw(
            double[] values, int draws, long seed, int threads, Supplier<ToDoubleFunction<double[]>> statistics) {
        double[] drawn = new double[draws];
        SeededStreams.run(draws, seed, threads, () -> new SeededStreams.Drawer() {
            private final double[] shuffled = values.clone();
            private final ToDoubleFunction<double[]> statistic = statistics.get();

            @Override
            public void restart() {
                System.arraycopy(values, 0, shuffled, 0, values.length);
            }

            @Override
            public void draw(int number, SplittableRandom random) {
                shuffle(shuffled, random);
                drawn[number] = statistic.applyAsDouble(shuffled);
            }
        });
        return drawn;
    }

    /**
     * The p-value of a statistic that is large when the null hypothesis is wrong: (1 + draws at least as large) /
     * (1 + draws), which is never 0. A draw that is smaller by no more than the rounding of sums in another order counts
     * as equal.
     */
    public static double pValue(double observed, double[] drawn) {
        double least = observed - ROUNDING * Math.abs(observed);
        long atLeast = Arrays.stream(drawn).filter(value -> value >= least).count();
        return (1.0 + atLeast) / (1.0 + drawn.length);
    }

    /** Fisher and Yates's shuffle, the last first. */
    private static void shuffle(double[] values, SplittableRandom random) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = SeededStreams.below(i + 1, random);
            double swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
    }
}
