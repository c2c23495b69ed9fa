package io.posbias.base.stats;

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

    /**
     * Paired randomisation test (Fisher 1935; Smucker, Allan and Carterette 2007): under the null hypothesis both systems are
     * equal, so that the two scores of a query may be swapped.
     */
    public static final class Randomisation {
        private Randomisation() {}

        /**
         * Swaps the two scores of each query with probability one half and sums the swapped differences. The resulting mean
         * difference is (sum of all - 2 x the returned sum) / n.
         *
         * @param differences one per query
         * @param groups queries of each group; may overlap
         * @param draws at least 1
         * @param seed determines the draws for any number of threads
         * @return sums, {@code [group][draw]}
         */
        public static double[][] randomisedSums(
                double[] differences, int[][] groups, int draws, long seed, int threads) {
            double[][] sums = new double[groups.length][draws];
            SeededStreams.run(draws, seed, threads, () -> new SeededStreams.Drawer() {
                private final long[] bits = new long[Math.ceilDiv(differences.length, Long.SIZE)];

                @Override
                public void draw(int number, SplittableRandom random) {
                    for (int i = 0; i < bits.length; i++) {
                        bits[i] = random.nextLong();
                    }
                    for (int group = 0; group < groups.length; group++) {
                        sums[group][number] = sum(differences, groups[group], bits);
                    }
                }
            });
            return sums;
        }

        private static double sum(double[] differences, int[] members, long[] bits) {
            double sum = 0;
            for (int member : members) {
                // 0 or 1 times: a branch on a random bit would be mispredicted half the time.
                sum += differences[member] * ((bits[member >> 6] >>> member) & 1);
            }
            return sum;
        }

        /**
         * Two-sided p-value of a mean difference.
         *
         * @param exchanged sums over all queries
         */
        public static double pValue(double[] differences, double[] exchanged) {
            double total = 0;
            for (double difference : differences) {
                total += difference;
            }
            double[] distances = new double[exchanged.length];
            for (int draw = 0; draw < distances.length; draw++) {
                distances[draw] = Math.abs(total - 2 * exchanged[draw]);
            }
            return Permutation.pValue(Math.abs(total), distances);
        }
    }
}
