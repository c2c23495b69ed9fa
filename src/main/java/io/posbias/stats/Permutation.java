package io.posbias.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Permutation test: under the null hypothesis every order of the values is equally likely (Fisher 1935; Phipson and Smyth 2010
 * for the p-value).
 */
public final class Permutation {
    private static final double ROUNDING = 1e-12;

    private Permutation() {}

    /**
     * Draws the statistic over random orders.
     *
     * @param draws at least 1
     * @param seed determines the draws for any number of threads
     * @param statistics creates one statistic per thread, which must not modify the values
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
     * The p-value of a statistic that is large under the alternative: (1 + draws at least as large) / (1 + draws). Draws
     * smaller by rounding count as equal.
     */
    public static double pValue(double observed, double[] drawn) {
        double least = observed - ROUNDING * Math.abs(observed);
        long atLeast = Arrays.stream(drawn).filter(value -> value >= least).count();
        return (1.0 + atLeast) / (1.0 + drawn.length);
    }

    /** Fisher-Yates shuffle. */
    private static void shuffle(double[] values, SplittableRandom random) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = SeededStreams.below(i + 1, random);
            double swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
    }
}
