package io.posbias.base.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Agreement of raters on ratings of the same items. A rating matrix has one row per item and one column per rater; NaN is a
 * missing rating. Pairwise coefficients are means over all pairs of raters, each over the items that both rated.
 */
public final class RaterAgreement {
    private static final int LEAST = 3;

    private RaterAgreement() {}

    /** Distance of two values in Krippendorff's alpha. */
    public enum Metric {
        /** By ranks: the number of ratings between the values. */
        ORDINAL,
        /** Squared difference. */
        INTERVAL
    }

    /**
     * Krippendorff's alpha (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability): 1 minus observed over expected
     * disagreement, from the coincidences of values within items with at least two ratings.
     *
     * @return at most 1; NaN if all values are equal or no item has two ratings
     */
    public static double alpha(double[][] ratings, Metric metric) {
        TreeMap<Double, Integer> places = new TreeMap<>();
        List<double[]> paired = Arrays.stream(ratings)
                .map(item -> Arrays.stream(item)
                        .filter(value -> !Double.isNaN(value))
                        .toArray())
                .filter(item -> item.length > 1)
                .toList();
        paired.forEach(item -> Arrays.stream(item).forEach(value -> places.put(value, 0)));
        double[] values =
                places.keySet().stream().mapToDouble(Double::doubleValue).toArray();
        for (int i = 0; i < values.length; i++) {
            places.put(values[i], i);
        }
        double[][] coincidences = new double[values.length][values.length];
        for (double[] item : paired) {
            int[] own = Arrays.stream(item).mapToInt(places::get).toArray();
            for (int i = 0; i < own.length; i++) {
                for (int j = 0; j < own.length; j++) {
                    coincidences[own[i]][own[j]] += i == j ? 0 : 1.0 / (own.length - 1);
                }
            }
        }
        double[] totals = Arrays.stream(coincidences)
                .mapToDouble(row -> Arrays.stream(row).sum())
                .toArray();
        double all = Arrays.stream(totals).sum();
        double observed = 0;
        double expected = 0;
        for (int low = 0; low < values.length; low++) {
            double between = totals[low] / 2;
            for (int high = low + 1; high < values.length; high++) {
                between += totals[high] / 2;
                double distance = metric == Metric.ORDINAL ? between : values[high] - values[low];
                observed += coincidences[low][high] * distance * distance;
                expected += totals[low] * totals[high] * distance * distance;
                between += totals[high] / 2;
            }
        }
        return expected == 0 ? Double.NaN : 1 - (all - 1) * observed / expected;
    }

    /** Cohen's unweighted kappa (1960), with each distinct value as a category; NaN if chance agreement is 1. */
    public static double kappa(double[][] ratings) {
        return overPairs(ratings, pair -> {
            Map<Double, Double> first = new HashMap<>();
            Map<Double, Double> second = new HashMap<>();
            double same = 0;
            for (int i = 0; i < pair[0].length; i++) {
                first.merge(pair[0][i], 1.0 / pair[0].length, Double::sum);
                second.merge(pair[1][i], 1.0 / pair[0].length, Double::sum);
                same += pair[0][i] == pair[1][i] ? 1.0 / pair[0].length : 0;
            }
            double chance = first.entrySet().stream()
                    .mapToDouble(value -> value.getValue() * second.getOrDefault(value.getKey(), 0.0))
                    .sum();
            return chance > 1 - 1e-12 ? Double.NaN : (same - chance) / (1 - chance);
        });
    }

    /**
     * Cohen's kappa of two raters' yes or no, with a t interval over clusters: the delta method of Fleiss, Cohen and Everitt (1969), by
     * {@link ClusterRobustEstimates} of the shares of agreement and of each rater's yes. With single clusters the variance is theirs
     * times n / (n - 1).
     *
     * @param clusters of the items
     * @return the value is null if chance agreement is 1; the interval also for fewer than two clusters
     */
    public static Agreement kappa(boolean[] first, boolean[] second, Clusters clusters, double confidence) {
        int items = first.length;
        if (items == 0) {
            return new Agreement(null, null);
        }
        double[] shares = new double[3 * items];
        int[] of = new int[shares.length];
        for (int i = 0; i < items; i++) {
            shares[i] = first[i] == second[i] ? 1 : 0;
            shares[items + i] = first[i] ? 1 : 0;
            shares[2 * items + i] = second[i] ? 1 : 0;
            for (int share = 0; share < 3; share++) {
                of[share * items + i] = clusters.of()[i];
            }
        }
        int[][] groups = IntStream.range(0, 3)
                .mapToObj(share ->
                        IntStream.range(share * items, (share + 1) * items).toArray())
                .toArray(int[][]::new);
        ClusterRobustEstimates means =
                ClusterRobustEstimates.ofMeans(shares, groups, new Clusters(of, clusters.count()));
        double same = means.values()[0];
        double one = means.values()[1];
        double other = means.values()[2];
        double missed = 1 - one * other - (1 - one) * (1 - other);
        if (missed < 1e-12) {
            return new Agreement(null, null);
        }
        double kappa = 1 - (1 - same) / missed;
        if (means.clusters() < 2) {
            return new Agreement(kappa, null);
        }
        // kappa falls by (1 - same) / missed^2 times the change of the chance agreement.
        double slope = -(1 - same) / (missed * missed);
        double[] gradient = {1 / missed, slope * (2 * other - 1), slope * (2 * one - 1)};
        Interval interval =
                means.function(kappa, gradient).estimate(0, confidence).interval();
        return new Agreement(kappa, interval.within(-1, 1));
    }

    /** Spearman's rho; NaN for a rater with constant ratings. */
    public static double spearman(double[][] ratings) {
        return overPairs(
                ratings,
                pair -> pair[0].length < LEAST
                        ? Double.NaN
                        : Correlation.spearman(pair[0], pair[1]).coefficient());
    }

    /** Share of items whose ratings differ by at most {@code most}. */
    public static double within(double[][] ratings, double most) {
        return overPairs(
                ratings,
                pair -> IntStream.range(0, pair[0].length)
                        .mapToDouble(i -> Math.abs(pair[0][i] - pair[1][i]) <= most ? 1 : 0)
                        .average()
                        .orElse(Double.NaN));
    }

    public static double meanAbsoluteDifference(double[][] ratings) {
        return overPairs(
                ratings,
                pair -> IntStream.range(0, pair[0].length)
                        .mapToDouble(i -> Math.abs(pair[0][i] - pair[1][i]))
                        .average()
                        .orElse(Double.NaN));
    }

    private static double overPairs(double[][] ratings, ToDoubleFunction<double[][]> coefficient) {
        int raters = ratings.length == 0 ? 0 : ratings[0].length;
        return IntStream.range(0, raters)
                .boxed()
                .flatMap(first -> IntStream.range(first + 1, raters)
                        .mapToObj(second -> Arrays.stream(ratings)
                                .map(item -> new double[] {item[first], item[second]})
                                .filter(pair -> !Double.isNaN(pair[0]) && !Double.isNaN(pair[1]))
                                .toArray(double[][]::new)))
                .filter(pairs -> pairs.length > 0)
                .mapToDouble(pairs -> coefficient.applyAsDouble(new double[][] {
                    Arrays.stream(pairs).mapToDouble(pair -> pair[0]).toArray(),
                    Arrays.stream(pairs).mapToDouble(pair -> pair[1]).toArray()
                }))
                .average()
                .orElse(Double.NaN);
    }

    /**
     * A coefficient with its percentile bootstrap interval over items.
     *
     * @param draws at least 1
     * @param seed equal seeds give equal draws for any number of threads
     * @return the interval is null if the value is undefined
     */
    public static Agreement estimate(
            double[][] ratings, ToDoubleFunction<double[][]> coefficient, int draws, long seed, double confidence) {
        double[] drawn = new double[draws];
        SeededStreams.run(draws, seed, Runtime.getRuntime().availableProcessors(), () -> (number, random) -> {
            double[][] items = new double[ratings.length][];
            for (int i = 0; i < items.length; i++) {
                items[i] = ratings[SeededStreams.below(ratings.length, random)];
            }
            drawn[number] = coefficient.applyAsDouble(items);
        });
        double value = coefficient.applyAsDouble(ratings);
        if (Double.isNaN(value)) {
            return new Agreement(null, null);
        }
        boolean known = Arrays.stream(drawn).anyMatch(draw -> !Double.isNaN(draw));
        return new Agreement(value, known ? Bootstrap.percentile(drawn, confidence) : null);
    }

    /**
     * An agreement coefficient.
     *
     * @param value null if undefined
     * @param interval null if undefined
     */
    public record Agreement(
            @Nullable Double value, @Nullable Interval interval) {}
}
