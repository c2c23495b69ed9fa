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

    /** Enough clusters to have many orders, few enough to be of about one size. */
    private static final int BLOCK = 10;

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
                shuffle(shuffled, 0, shuffled.length, random);
                drawn[number] = statistic.applyAsDouble(shuffled);
            }
        });
        return drawn;
    }

    /**
     * The statistic over random orders in which what clusters hold stays together: clusters exchange their values with
     * others of about as many (blocks of {@value #BLOCK} by size), and within each they are in random order; a cluster of more rows
     * than it is given values takes them again. Where each row is by itself as
     * {@link #draw(double[], int, long, int, Supplier)}. Null hypothesis: neither clusters nor the rows within them depend
     * on their places.
     *
     * @param clusters of the same values
     */
    public static double[] draw(
            double[] values,
            Clusters clusters,
            int draws,
            long seed,
            int threads,
            Supplier<ToDoubleFunction<double[]>> statistics) {
        if (clusters.areSingle()) {
            return draw(values, draws, seed, threads, statistics);
        }
        double[] drawn = new double[draws];
        int[][] rows = clusters.bySize();
        SeededStreams.run(draws, seed, threads, () -> new SeededStreams.Drawer() {
            private final Exchange exchange = new Exchange(values, rows);
            private final double[] shuffled = values.clone();
            private final ToDoubleFunction<double[]> statistic = statistics.get();

            @Override
            public void restart() {
                exchange.restart();
            }

            @Override
            public void draw(int number, SplittableRandom random) {
                exchange.draw(random, shuffled);
                drawn[number] = statistic.applyAsDouble(shuffled);
            }
        });
        return drawn;
    }

    /** What clusters hold, one after another in a single array: a draw goes through it block by block. */
    private static final class Exchange {
        private final double[] values;
        /** The rows of all clusters, one after another. */
        private final int[] rows;
        /** Where the rows of each cluster start in {@code rows}, and its values in {@code held}; one more at the end. */
        private final int[] starts;

        private final double[] held;
        /** Whose values each cluster has. */
        private final int[] givers;

        Exchange(double[] values, int[][] rows) {
            this.values = values;
            this.rows = Arrays.stream(rows).flatMapToInt(Arrays::stream).toArray();
            this.starts = new int[rows.length + 1];
            for (int cluster = 0; cluster < rows.length; cluster++) {
                starts[cluster + 1] = starts[cluster] + rows[cluster].length;
            }
            this.held = new double[this.rows.length];
            this.givers = new int[rows.length];
        }

        void restart() {
            Arrays.setAll(givers, cluster -> cluster);
            Arrays.setAll(held, place -> values[rows[place]]);
        }

        void draw(SplittableRandom random, double[] shuffled) {
            for (int from = 0; from < givers.length; from += BLOCK) {
                exchange(from, Math.min(givers.length, from + BLOCK), random, shuffled);
            }
        }

        /** Shuffles the clusters of a block and what each of them holds. */
        private void exchange(int from, int to, SplittableRandom random, double[] shuffled) {
            for (int i = to - 1; i >= from; i--) {
                int j = from + SeededStreams.below(i - from + 1, random);
                int giver = givers[j];
                givers[j] = givers[i];
                givers[i] = giver;
                int first = starts[giver];
                int end = starts[giver + 1];
                if (end - first == starts[i + 1] - starts[i]) {
                    shuffle(first, end, random, starts[i] - first, shuffled);
                } else {
                    Permutation.shuffle(held, first, end, random);
                    give(first, end, i, shuffled);
                }
            }
        }

        /** Shuffles some places and gives what comes to each of them to the row {@code shift} further on. */
        private void shuffle(int first, int end, SplittableRandom random, int shift, double[] shuffled) {
            for (int place = end - 1; place > first; place--) {
                int drawn = first + SeededStreams.below(place - first + 1, random);
                double value = held[drawn];
                held[drawn] = held[place];
                held[place] = value;
                shuffled[rows[place + shift]] = value;
            }
            shuffled[rows[first + shift]] = held[first];
        }

        private void give(int first, int end, int cluster, double[] shuffled) {
            int next = first;
            for (int place = starts[cluster]; place < starts[cluster + 1]; place++) {
                shuffled[rows[place]] = held[next];
                next = next + 1 == end ? first : next + 1;
            }
        }
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

    /** Fisher and Yates's shuffle of some places, the last first. */
    private static void shuffle(double[] values, int from, int to, SplittableRandom random) {
        for (int i = to - 1; i > from; i--) {
            int j = from + SeededStreams.below(i - from + 1, random);
            double swap = values[i];
            values[i] = values[j];
            values[j] = swap;
        }
    }
}
