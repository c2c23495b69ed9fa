package io.posbias.base.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/** Nonparametric bootstrap (Efron and Tibshirani 1993). */
public final class Bootstrap {
    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

    /** Ratio of all numbers to non-zero ones above which sparse sums are faster. */
    private static final int ZEROS_WORTHWHILE = 4;

    private Bootstrap() {}

    /**
     * Draws behind an interval.
     *
     * @param number at least 1
     * @param seed determines them
     */
    public record Draws(int number, long seed, double confidence) {}

    /**
     * Means of groups of rows over draws within each group, of the group's size. All columns of a row are drawn together, so
     * that paired columns stay paired.
     *
     * @param columns {@code [column][row]}
     * @param groups may overlap; each group is drawn independently
     * @param draws at least 1
     * @param seed determines the draws for any number of threads
     * @return means, {@code [column][group][draw]}
     */
    public static double[][][] means(double[][] columns, int[][] groups, int draws, long seed, int threads) {
        double[][][] means = new double[columns.length][groups.length][draws];
        double[][][] values = gather(columns, groups);
        SeededStreams.run(draws, seed, threads, () -> (number, random) -> {
            for (int group = 0; group < groups.length; group++) {
                draw(values[group], means, group, number, random);
            }
        });
        return means;
    }

    /**
     * Means of groups of rows over draws of whole clusters; without clusters as {@link #means(double[][], int[][], int, long,
     * int)}.
     *
     * @param clusters of all rows; clusters outside all groups are not drawn
     * @return means, {@code [column][group][draw]}; NaN if a draw has no row of a group
     */
    public static double[][][] means(
            double[][] columns, int[][] groups, Clusters clusters, int draws, long seed, int threads) {
        if (clusters.areSingle()) {
            return means(columns, groups, draws, seed, threads);
        }
        double[][][] means = new double[columns.length][groups.length][draws];
        overClusters(clusterSums(columns, groups, clusters), draws, seed, threads, (number, total) -> {
            for (int group = 0; group < groups.length; group++) {
                double count = total[columns.length * groups.length + group];
                for (int column = 0; column < columns.length; column++) {
                    means[column][group][number] = total[column * groups.length + group] / count;
                }
            }
        });
        return means;
    }

    /**
     * A statistic with its percentile interval and p-value: twice the share of draws of the other sign, counting the statistic
     * as a draw. The interval includes the statistic, and 0 if the test does not reject.
     */
    public static Estimate estimate(double value, double[] drawn, double confidence) {
        double pValue = excludingZero(drawn, value);
        Interval interval = percentile(drawn, confidence).holding(value);
        return new Estimate(value, pValue < 1 - confidence ? interval : interval.holding(0), pValue);
    }

    /** The level at which the percentile interval begins to include 0. */
    public static double excludingZero(double[] drawn, double value) {
        long others = Arrays.stream(drawn)
                .filter(one -> value > 0 ? one <= 0 : one >= 0)
                .count();
        return Math.min(1, 2.0 * (1 + others) / (1 + drawn.length));
    }

    /** Consumer of bootstrap draws. */
    @FunctionalInterface
    public interface Drawn {
        /**
         * Takes a draw; called on several threads, once per number.
         *
         * @param total sums of the drawn clusters; overwritten afterwards
         */
        void take(int number, double[] total);
    }

    /** Draws clusters with replacement and sums their numbers, {@code [cluster][number]}. */
    public static void overClusters(double[][] sums, int draws, long seed, int threads, Drawn drawn) {
        Summand clusters = summand(sums);
        SeededStreams.run(draws, seed, threads, () -> {
            int[] members = new int[sums.length];
            double[] total = new double[sums[0].length];
            return (number, random) -> {
                for (int i = 0; i < members.length; i++) {
                    members[i] = SeededStreams.below(members.length, random);
                }
                clusters.add(members, total);
                drawn.take(number, total);
            };
        });
    }

    @FunctionalInterface
    private interface Summand {
        void add(int[] clusters, double[] total);
    }

    private static Summand summand(double[][] sums) {
        Sparse sparse = Sparse.of(sums);
        return (long) sums[0].length * sums.length > (long) ZEROS_WORTHWHILE * sparse.values.length
                ? sparse
                : dense(sums);
    }

    private static Summand dense(double[][] sums) {
        return (clusters, total) -> {
            Arrays.fill(total, 0);
            for (int cluster : clusters) {
                double[] own = sums[cluster];
                for (int i = 0; i < total.length; i++) {
                    total[i] += own[i];
                }
            }
        };
    }

    /** Non-zero numbers by cluster. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Sparse(int[] starts, int[] places, double[] values) implements Summand {
        static Sparse of(double[][] sums) {
            int[] starts = new int[sums.length + 1];
            for (int cluster = 0; cluster < sums.length; cluster++) {
                starts[cluster + 1] = starts[cluster]
                        + (int) Arrays.stream(sums[cluster])
                                .filter(sum -> sum != 0)
                                .count();
            }
            int[] places = new int[starts[sums.length]];
            double[] values = new double[places.length];
            int next = 0;
            for (double[] own : sums) {
                for (int place = 0; place < own.length; place++) {
                    if (own[place] != 0) {
                        places[next] = place;
                        values[next++] = own[place];
                    }
                }
            }
            return new Sparse(starts, places, values);
        }

        @Override
        public void add(int[] clusters, double[] total) {
            Arrays.fill(total, 0);
            for (int cluster : clusters) {
                for (int i = starts[cluster]; i < starts[cluster + 1]; i++) {
                    total[places[i]] += values[i];
                }
            }
        }
    }

    /** Per cluster: sum of each column in each group, then rows in each group. */
    private static double[][] clusterSums(double[][] columns, int[][] groups, Clusters clusters) {
        Clusters own =
                clusters.at(Arrays.stream(groups).flatMapToInt(Arrays::stream).toArray());
        double[][] sums = new double[own.count()][(columns.length + 1) * groups.length];
        int next = 0;
        for (int group = 0; group < groups.length; group++) {
            for (int row : groups[group]) {
                double[] cluster = sums[own.of()[next++]];
                for (int column = 0; column < columns.length; column++) {
                    cluster[column * groups.length + group] += columns[column][row];
                }
                cluster[columns.length * groups.length + group]++;
            }
        }
        return sums;
    }

    /** Copies each group's values to contiguous arrays, for the processor's cache. */
    private static double[][][] gather(double[][] columns, int[][] groups) {
        double[][][] values = new double[groups.length][columns.length][];
        for (int group = 0; group < groups.length; group++) {
            for (int column = 0; column < columns.length; column++) {
                values[group][column] = Moments.at(columns[column], groups[group]);
            }
        }
        return values;
    }

    private static void draw(double[][] columns, double[][][] means, int group, int number, SplittableRandom random) {
        int size = columns[0].length;
        if (columns.length == 1) {
            double[] only = columns[0];
            double sum = 0;
            for (int i = 0; i < size; i++) {
                sum += only[SeededStreams.below(size, random)];
            }
            means[0][group][number] = sum / size;
            return;
        }
        double[] sums = new double[columns.length];
        for (int i = 0; i < size; i++) {
            int row = SeededStreams.below(size, random);
            for (int column = 0; column < sums.length; column++) {
                sums[column] += columns[column][row];
            }
        }
        for (int column = 0; column < sums.length; column++) {
            means[column][group][number] = sums[column] / size;
        }
    }

    /**
     * Percentile interval.
     *
     * @param drawn in any order; NaN is ignored
     */
    public static Interval percentile(double[] drawn, double confidence) {
        return between(drawn, (1 - confidence) / 2);
    }

    /**
     * Expanded percentile interval (Hesterberg 2015): draws of G clusters have (G - 1) / G of the variance, and normal tails
     * where Student's are needed, so that the tails are those of -t sqrt(G / (G - 1)), t with G - 1 degrees of freedom.
     *
     * @param drawn in any order; NaN is ignored
     * @param effective G*, see {@link Clusters#effective}
     */
    public static Interval expanded(double[] drawn, double confidence, double effective) {
        double freedom = Clusters.freedom(effective);
        double t = new TDistribution(null, freedom).inverseCumulativeProbability((1 - confidence) / 2);
        return between(drawn, NORMAL.cumulativeProbability(t * Math.sqrt((freedom + 1) / freedom)));
    }

    private static Interval between(double[] drawn, double tail) {
        double[] sorted = sorted(drawn);
        return new Interval(quantile(sorted, tail), quantile(sorted, 1 - tail));
    }

    /**
     * BCa interval of a mean (Efron 1987).
     *
     * @param sample moments of values that are not all equal
     * @param drawn the mean in each draw, in any order
     */
    public static Interval bca(Moments sample, double[] drawn, double confidence) {
        double[] sorted = sorted(drawn);
        double bias = NORMAL.inverseCumulativeProbability(shareBelow(sample.mean(), sorted));
        double acceleration = sample.cubes() / (6 * Math.pow(sample.squares(), 1.5));
        double tail = (1 - confidence) / 2;
        return new Interval(
                quantile(sorted, adjusted(tail, bias, acceleration)),
                quantile(sorted, adjusted(1 - tail, bias, acceleration)));
    }

    private static double[] sorted(double[] drawn) {
        return Arrays.stream(drawn)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
    }

    private static double adjusted(double p, double bias, double acceleration) {
        double z = bias + NORMAL.inverseCumulativeProbability(p);
        return NORMAL.cumulativeProbability(bias + z / (1 - acceleration * z));
    }

    /** Share of draws below a value, ties counted half; never 0 or 1. */
    private static double shareBelow(double value, double[] sorted) {
        double count = 0;
        for (double drawn : sorted) {
            count += drawn < value ? 1 : drawn == value ? 0.5 : 0;
        }
        return Math.clamp(count, 0.5, sorted.length - 0.5) / sorted.length;
    }

    /** The smallest value with a cumulative share of at least p. */
    public static double quantile(double[] sorted, double p) {
        return sorted[Math.clamp((int) Math.ceil(p * sorted.length) - 1, 0, sorted.length - 1)];
    }
}
