package io.posbias.base.stats;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.FDistribution;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * Several means or coefficients estimated together from clusters. Their covariance is the sum of products of each cluster's
 * contribution to their errors, divided by the root of the share of rows outside the cluster: the sandwich CR2 (Bell and
 * McCaffrey 2002; Cameron and Miller 2015), valid for any dependence within a cluster. Tests have G* - 1 degrees of freedom,
 * see {@link Clusters#effective}: in simulations this holds the level for clusters of 1 to 113 rows, and CR1 with G - 1 does
 * not (docs/statistics.md).
 *
 * @param parts first-order error contributions, {@code [cluster][estimate]}; they sum to 0 over clusters
 * @param rows number of rows behind each estimate, {@code [cluster][estimate]}
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record ClusterRobustEstimates(double[] values, double[][] parts, int[][] rows) {
    private static final double ROUNDING = 1e-12;

    /** Directions with a smaller relative variance are not tested. */
    private static final double SINGULAR = 1e-10;

    /** Rounds tiny numbers to 0. */
    public ClusterRobustEstimates {
        clean(values);
        Arrays.stream(parts).forEach(ClusterRobustEstimates::clean);
    }

    private static void clean(double[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = cleaned(numbers[i]);
        }
    }

    private static double cleaned(double number) {
        return Math.abs(number) < ROUNDING ? 0 : number;
    }

    /**
     * Means of groups of rows.
     *
     * @param groups may overlap; at least one row each
     */
    public static ClusterRobustEstimates ofMeans(double[] values, int[][] groups, Clusters clusters) {
        int[] rows = Arrays.stream(groups).flatMapToInt(Arrays::stream).toArray();
        Clusters own = clusters.at(rows);
        double[] means = new double[groups.length];
        double[][] parts = new double[own.count()][groups.length];
        int[][] counts = new int[own.count()][groups.length];
        int next = 0;
        for (int group = 0; group < groups.length; group++) {
            means[group] = Moments.of(values, groups[group]).mean();
            for (int row : groups[group]) {
                int cluster = own.of()[next++];
                parts[cluster][group] += (values[row] - means[group]) / groups[group].length;
                counts[cluster][group]++;
            }
        }
        return new ClusterRobustEstimates(means, parts, counts);
    }

    public int clusters() {
        return parts.length;
    }

    /** Differences of estimates from the same clusters. */
    public ClusterRobustEstimates minus(ClusterRobustEstimates other) {
        double[][] errors = IntStream.range(0, parts.length)
                .mapToObj(cluster -> difference(parts[cluster], other.parts[cluster]))
                .toArray(double[][]::new);
        return new ClusterRobustEstimates(difference(values, other.values), errors, rows);
    }

    private static double[] difference(double[] first, double[] second) {
        return IntStream.range(0, first.length)
                .mapToDouble(i -> first[i] - second[i])
                .toArray();
    }

    /** The natural logarithms of estimates above 0. */
    public ClusterRobustEstimates log() {
        return new ClusterRobustEstimates(
                Arrays.stream(values).map(Math::log).toArray(),
                Arrays.stream(parts)
                        .map(part -> IntStream.range(0, part.length)
                                .mapToDouble(i -> part[i] / values[i])
                                .toArray())
                        .toArray(double[][]::new),
                rows);
    }

    /** The estimates divided by their mean, which must be positive. */
    public ClusterRobustEstimates relative() {
        double mean = Arrays.stream(values).average().orElseThrow();
        return new ClusterRobustEstimates(
                Arrays.stream(values).map(value -> value / mean).toArray(),
                Arrays.stream(parts).map(part -> relative(part, mean)).toArray(double[][]::new),
                rows);
    }

    private double[] relative(double[] part, double mean) {
        double own = Arrays.stream(part).average().orElseThrow();
        return IntStream.range(0, part.length)
                .mapToDouble(i -> (part[i] - values[i] / mean * own) / mean)
                .toArray();
    }

    /** Error contributions corrected for the cluster's own share of the estimate; their sum of squares is the variance. */
    public double[][] corrected() {
        int[] sizes = sizes();
        return IntStream.range(0, parts.length)
                .mapToObj(cluster -> IntStream.range(0, values.length)
                        .mapToDouble(i -> corrected(cluster, i, sizes[i]))
                        .toArray())
                .toArray(double[][]::new);
    }

    /** An estimate from one cluster has no measurable error. */
    private double corrected(int cluster, int estimate, int size) {
        double others = 1 - (double) rows[cluster][estimate] / size;
        return others == 0 ? 0 : parts[cluster][estimate] / Math.sqrt(others);
    }

    private int[] sizes() {
        int[] sizes = new int[values.length];
        for (int[] own : rows) {
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] += own[i];
            }
        }
        return sizes;
    }

    /** G* of a weighted sum. */
    private double effective(double[] weights) {
        int[] sizes = sizes();
        return Clusters.effective(Arrays.stream(rows)
                .mapToDouble(own -> IntStream.range(0, sizes.length)
                        .mapToDouble(i -> weights[i] * weights[i] * own[i] / ((double) sizes[i] * sizes[i]))
                        .sum())
                .toArray());
    }

    /**
     * A weighted sum with interval and t test against 0, with G* - 1 degrees of freedom.
     *
     * @throws IllegalArgumentException for fewer than two clusters
     */
    public Estimate contrast(double[] weights, double confidence) {
        if (parts.length < 2) {
            throw new IllegalArgumentException("at least two clusters are needed: " + parts.length);
        }
        double value = cleaned(product(values, weights));
        return Estimate.ofT(value, standardError(weights), Clusters.freedom(effective(weights)), confidence);
    }

    /** Standard error of a weighted sum. */
    public double standardError(double[] weights) {
        return Math.sqrt(Arrays.stream(corrected())
                .mapToDouble(part -> cleaned(product(part, weights)))
                .map(part -> part * part)
                .sum());
    }

    /** A function of estimates from the same rows, to first order (delta method). */
    public ClusterRobustEstimates function(double value, double[] gradient) {
        return new ClusterRobustEstimates(
                new double[] {value},
                Arrays.stream(parts)
                        .map(part -> new double[] {product(part, gradient)})
                        .toArray(double[][]::new),
                Arrays.stream(rows).map(own -> new int[] {own[0]}).toArray(int[][]::new));
    }

    public Estimate estimate(int number, double confidence) {
        double[] weights = new double[values.length];
        weights[number] = 1;
        return contrast(weights, confidence);
    }

    private static double product(double[] first, double[] second) {
        double sum = 0;
        for (int i = 0; i < first.length; i++) {
            sum += first[i] * second[i];
        }
        return sum;
    }

    /**
     * The p-value of Wald's test that all estimates are equal, by Hotelling's F: with r varying differences, W (G* - r) / (r
     * (G* - 1)) against F(r, G* - r). Without variance it is 1 for equal estimates and 0 otherwise.
     *
     * @throws IllegalArgumentException for fewer than two estimates
     */
    public double equal() {
        if (values.length < 2) {
            throw new IllegalArgumentException("at least two estimates are needed: " + values.length);
        }
        int last = values.length - 1;
        double[] differences = fromFirst(values);
        RealMatrix covariance = new Array2DRowRealMatrix(last, last);
        for (double[] part : corrected()) {
            RealMatrix column = new Array2DRowRealMatrix(fromFirst(part));
            covariance = covariance.add(column.multiply(column.transpose()));
        }
        return hotelling(new EigenDecomposition(covariance), differences);
    }

    private double hotelling(EigenDecomposition covariance, double[] differences) {
        double most = Arrays.stream(covariance.getRealEigenvalues()).max().orElse(0);
        double statistic = 0;
        int rank = 0;
        for (int i = 0; i < differences.length; i++) {
            double along = product(covariance.getEigenvector(i).toArray(), differences);
            double variance = covariance.getRealEigenvalue(i);
            if (variance > SINGULAR * most) {
                statistic += along * along / variance;
                rank++;
            } else if (Math.abs(along) > Math.sqrt(SINGULAR)) {
                return 0;
            }
        }
        double[] all = new double[values.length];
        Arrays.fill(all, 1);
        double effective = effective(all);
        double freedom = effective - rank;
        if (rank == 0 || freedom < 1) {
            return 1;
        }
        return 1
                - new FDistribution(null, rank, freedom)
                        .cumulativeProbability(statistic * freedom / (rank * (effective - 1)));
    }

    private static double[] fromFirst(double[] numbers) {
        return IntStream.range(1, numbers.length)
                .mapToDouble(i -> numbers[i] - numbers[0])
                .toArray();
    }
}
