package io.posbias.stats;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.FDistribution;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * Several means or coefficients estimated together from clusters. Their covariance is the sum of products of what each
 * cluster adds to their errors, times G / (G - 1): the sandwich CR1 (Liang and Zeger 1986; Cameron and Miller 2015), which
 * holds whatever the dependence within a cluster.
 *
 * @param values the estimates
 * @param parts the error of each estimate that a cluster adds, to first order, at {@code [cluster][estimate]}; the sum over
 *     clusters is 0
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record ClusterRobustEstimates(double[] values, double[][] parts) {
    /** Smaller numbers are what rounding leaves of 0. */
    private static final double ROUNDING = 1e-12;

    /** Directions whose variance is a smaller part of the largest one's are not tested: nothing varies there. */
    private static final double SINGULAR = 1e-10;

    /** Takes what rounding left of 0 for 0. */
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
     * The means of groups of rows.
     *
     * @param groups rows of each group, at least one; a row may be in several
     * @param clusters of all rows; those of rows in no group are left out
     */
    public static ClusterRobustEstimates ofMeans(double[] values, int[][] groups, Clusters clusters) {
        int[] rows = Arrays.stream(groups).flatMapToInt(Arrays::stream).toArray();
        Clusters own = clusters.at(rows);
        double[] means = new double[groups.length];
        double[][] parts = new double[own.count()][groups.length];
        int next = 0;
        for (int group = 0; group < groups.length; group++) {
            means[group] = Moments.of(values, groups[group]).mean();
            for (int row : groups[group]) {
                parts[own.of()[next++]][group] += (values[row] - means[group]) / groups[group].length;
            }
        }
        return new ClusterRobustEstimates(means, parts);
    }

    /** How many clusters there are. */
    public int clusters() {
        return parts.length;
    }

    /** These estimates minus others from the same clusters. */
    public ClusterRobustEstimates minus(ClusterRobustEstimates other) {
        return combined(other, 1, -1);
    }

    private ClusterRobustEstimates combined(ClusterRobustEstimates other, double own, double others) {
        double[] sums = combined(values, other.values, own, others);
        double[][] errors = IntStream.range(0, parts.length)
                .mapToObj(cluster -> combined(parts[cluster], other.parts[cluster], own, others))
                .toArray(double[][]::new);
        return new ClusterRobustEstimates(sums, errors);
    }

    private static double[] combined(double[] first, double[] second, double own, double others) {
        return IntStream.range(0, first.length)
                .mapToDouble(i -> own * first[i] + others * second[i])
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
                        .toArray(double[][]::new));
    }

    /** The estimates as parts of their mean, which is above 0. */
    public ClusterRobustEstimates relative() {
        double mean = Arrays.stream(values).average().orElseThrow();
        return new ClusterRobustEstimates(
                Arrays.stream(values).map(value -> value / mean).toArray(),
                Arrays.stream(parts).map(part -> relative(part, mean)).toArray(double[][]::new));
    }

    private double[] relative(double[] part, double mean) {
        double own = Arrays.stream(part).average().orElseThrow();
        return IntStream.range(0, part.length)
                .mapToDouble(i -> (part[i] - values[i] / mean * own) / mean)
                .toArray();
    }

    /**
     * A weighted sum of the estimates, with interval and test of the null hypothesis that it is 0 by Student's t with G - 1.
     *
     * @throws IllegalArgumentException for fewer than two clusters
     */
    public Estimate contrast(double[] weights, double confidence) {
        if (parts.length < 2) {
            throw new IllegalArgumentException("at least two clusters are needed: " + parts.length);
        }
        double value = product(values, weights);
        double squares = Arrays.stream(parts)
                .mapToDouble(part -> cleaned(product(part, weights)))
                .map(part -> part * part)
                .sum();
        double variance = squares * Clusters.correction(parts.length);
        return Estimate.ofT(cleaned(value), Math.sqrt(variance), parts.length - 1, confidence);
    }

    /** One of the estimates. */
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
     * The p-value of Wald's test of the null hypothesis that all estimates are equal, by Hotelling's F: with r differences
     * that vary, W (G - r) / (r (G - 1)) against F(r, G - r). Where nothing varies it is 1 for equal estimates and 0 for
     * others.
     *
     * @throws IllegalArgumentException for fewer than two estimates
     */
    public double equal() {
        if (values.length < 2) {
            throw new IllegalArgumentException("at least two estimates are needed: " + values.length);
        }
        int last = values.length - 1;
        double[] differences = differences(values);
        RealMatrix covariance = new Array2DRowRealMatrix(last, last);
        for (double[] part : parts) {
            RealMatrix column = new Array2DRowRealMatrix(differences(part));
            covariance = covariance.add(column.multiply(column.transpose()));
        }
        return hotelling(
                new EigenDecomposition(covariance.scalarMultiply(Clusters.correction(parts.length))), differences);
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
        if (rank == 0) {
            return 1;
        }
        int freedom = parts.length - rank;
        if (freedom < 1) {
            return 1;
        }
        double f = statistic * freedom / ((double) rank * (parts.length - 1));
        return 1 - new FDistribution(null, rank, freedom).cumulativeProbability(f);
    }

    private static double[] differences(double[] numbers) {
        return IntStream.range(1, numbers.length)
                .mapToDouble(i -> numbers[i] - numbers[0])
                .toArray();
    }
}
