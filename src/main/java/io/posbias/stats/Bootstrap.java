package io.posbias.stats;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * The bootstrap (Efron and Tibshirani 1993): how a statistic would vary, had other queries been asked, seen by drawing
 * from those there are, with replacement.
 */
public final class Bootstrap {
    private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

    /** From so many numbers of a cluster on, most of them 0, the zeros are left out of sums. */
    private static final int WIDE = 32;

    private static final double MOSTLY = 0.75;

    private Bootstrap() {}

    /**
     * The means of several groups of rows over draws within each group, as many as it holds. All columns of a row are
     * drawn together, so columns of paired values stay paired.
     *
     * @param columns values of each row, one array a column, all of one length
     * @param groups rows of each group; a row may be in several, and is then drawn in each on its own
     * @param draws how many, at least 1
     * @param seed the same seed gives the same draws, whatever the number of threads
     * @return the mean of column c over group g in draw d at {@code [c][g][d]}
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
     * The means of several groups of rows over draws of whole clusters, as many as there are; where each row is by itself as
     * {@link #means(double[][], int[][], int, long, int)}.
     *
     * @param clusters of all rows; those of rows in no group are not drawn
     * @return as there; NaN where a draw holds no row of a group
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
     * A statistic with its percentile interval and the level at which that begins to hold 0: twice the share of draws of
     * another sign, the statistic itself counted as one of them. The interval holds the statistic, and holds 0 where the
     * p-value is not below its level, so that both say the same.
     *
     * @param drawn the statistic in each draw
     */
    public static Estimate estimate(double value, double[] drawn, double confidence) {
        double pValue = excludingZero(drawn, value);
        Interval interval = percentile(drawn, confidence);
        double low = Math.min(interval.low(), value);
        double high = Math.max(interval.high(), value);
        boolean excludes = pValue < 1 - confidence;
        return new Estimate(
                value, excludes ? new Interval(low, high) : new Interval(Math.min(0, low), Math.max(0, high)), pValue);
    }

    /** The level at which the percentile interval of draws begins to hold 0. */
    public static double excludingZero(double[] drawn, double value) {
        long others = Arrays.stream(drawn)
                .filter(one -> value > 0 ? one <= 0 : one >= 0)
                .count();
        return Math.min(1, 2.0 * (1 + others) / (1 + drawn.length));
    }

    /** What is made of a draw of clusters. */
    @FunctionalInterface
    public interface Drawn {
        /**
         * Takes a draw; called on several threads, each number once.
         *
         * @param total the sums of the clusters drawn; overwritten afterwards
         */
        void take(int number, double[] total);
    }

    /**
     * Draws clusters with replacement, as many as there are, and adds up what they hold.
     *
     * @param sums of each cluster, all of one length
     */
    public static void overClusters(double[][] sums, int draws, long seed, int threads, Drawn drawn) {
        int width = sums[0].length;
        List<int[]> held = Arrays.stream(sums)
                .map(own -> IntStream.range(0, width)
                        .filter(place -> own[place] != 0)
                        .toArray())
                .toList();
        long zeros = (long) width * sums.length
                - held.stream().mapToLong(places -> places.length).sum();
        // Many strata: a cluster holds numbers in few of them.
        boolean skipZeros = width > WIDE && zeros > MOSTLY * width * sums.length;
        SeededStreams.run(draws, seed, threads, () -> {
            double[] total = new double[width];
            return (number, random) -> {
                Arrays.fill(total, 0);
                for (int i = 0; i < sums.length; i++) {
                    int cluster = SeededStreams.below(sums.length, random);
                    if (skipZeros) {
                        add(sums[cluster], held.get(cluster), total);
                    } else {
                        add(sums[cluster], total);
                    }
                }
                drawn.take(number, total);
            };
        });
    }

    private static void add(double[] own, double[] total) {
        for (int place = 0; place < total.length; place++) {
            total[place] += own[place];
        }
    }

    private static void add(double[] own, int[] places, double[] total) {
        for (int place : places) {
            total[place] += own[place];
        }
    }

    /** For each cluster its sum of each column in each group, then its rows in each group. */
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

    /** The values of each group side by side, so that drawing them stays in the processor's cache. */
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
     * The percentile interval: the middle part of the draws.
     *
     * @param drawn the statistic of each draw, in any order; NaN for draws that have none
     */
    public static Interval percentile(double[] drawn, double confidence) {
        double[] sorted = sorted(drawn);
        double tail = (1 - confidence) / 2;
        return new Interval(quantile(sorted, tail), quantile(sorted, 1 - tail));
    }

    /**
     * The BCa interval of a mean, corrected for bias and skewness (Efron 1987); of values that are all equal, their mean
     * alone.
     *
     * @param sample moments of the values
     * @param drawn their mean in each draw, in any order
     */
    public static Interval bca(Moments sample, double[] drawn, double confidence) {
        if (sample.squares() == 0) {
            return new Interval(sample.mean(), sample.mean());
        }
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

    /** The share of draws below a value, those equal to it counted half; never 0 or 1. */
    private static double shareBelow(double value, double[] sorted) {
        double count = 0;
        for (double drawn : sorted) {
            count += drawn < value ? 1 : drawn == value ? 0.5 : 0;
        }
        return Math.clamp(count, 0.5, sorted.length - 0.5) / sorted.length;
    }

    /** The smallest value that at least a share p of sorted values do not exceed. */
    public static double quantile(double[] sorted, double p) {
        return sorted[Math.clamp((int) Math.ceil(p * sorted.length) - 1, 0, sorted.length - 1)];
    }
}
