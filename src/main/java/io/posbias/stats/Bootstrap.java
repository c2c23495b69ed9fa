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

    /** Up to so many numbers for one that is not 0 are added one and all. */
    private static final int ZEROS_WORTHWHILE = 4;

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
        Interval interval = percentile(drawn, confidence).holding(value);
        return new Estimate(value, pValue < 1 - confidence ? interval : interval.holding(0), pValue);
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

    /** Adds up what clusters hold, one after another; a cluster may come several times. */
    @FunctionalInterface
    private interface Summand {
        void add(int[] clusters, double[] total);
    }

    /** Going through zeros, which change no sum, costs less than finding the end of a short list. */
    private static Summand summand(double[][] sums) {
        Sparse sparse = Sparse.of(sums);
        return (long) sums[0].length * sums.length > (long) ZEROS_WORTHWHILE * sparse.values.length
                ? sparse
                : Dense.of(sums);
    }

    /**
     * All numbers of clusters, four places at a time: so many sums fit in registers, and the numbers of all clusters in the
     * processor's cache.
     *
     * @param quarters of each four places the numbers of one cluster after another, 0 for places there are not
     */
    private record Dense(List<double[]> quarters) implements Summand {
        private static final int PLACES = 4;

        static Dense of(double[][] sums) {
            return new Dense(IntStream.range(0, Math.ceilDiv(sums[0].length, PLACES))
                    .mapToObj(part -> part(sums, part * PLACES))
                    .toList());
        }

        private static double[] part(double[][] sums, int first) {
            int places = Math.min(PLACES, sums[0].length - first);
            double[] part = new double[PLACES * sums.length];
            for (int cluster = 0; cluster < sums.length; cluster++) {
                System.arraycopy(sums[cluster], first, part, PLACES * cluster, places);
            }
            return part;
        }

        @Override
        public void add(int[] clusters, double[] total) {
            double[] four = new double[PLACES];
            for (int part = 0; part < quarters.size(); part++) {
                addFour(quarters.get(part), clusters, four);
                int first = part * PLACES;
                System.arraycopy(four, 0, total, first, Math.min(PLACES, total.length - first));
            }
        }

        private static void addFour(double[] numbers, int[] clusters, double[] four) {
            double first = 0;
            double second = 0;
            double third = 0;
            double fourth = 0;
            for (int cluster : clusters) {
                int place = PLACES * cluster;
                first += numbers[place];
                second += numbers[place + 1];
                third += numbers[place + 2];
                fourth += numbers[place + 3];
            }
            four[0] = first;
            four[1] = second;
            four[2] = third;
            four[3] = fourth;
        }
    }

    /** The numbers of clusters that are not 0, which are few, one cluster after another. */
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
