package io.posbias.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * A number estimated from a sample.
 *
 * @param value the estimate
 * @param interval its confidence interval
 * @param pValue two-sided, of the null hypothesis that the true value is 0
 */
public record Estimate(double value, Interval interval, double pValue) {
    /** An estimate with a standard error whose ratio to it follows Student's t under the null hypothesis. */
    static Estimate ofT(double value, double standardError, double freedom, double confidence) {
        if (standardError == 0) {
            return new Estimate(value, new Interval(value, value), value == 0 ? 1 : 0);
        }
        double half =
                new TDistribution(null, freedom).inverseCumulativeProbability(1 - (1 - confidence) / 2) * standardError;
        return new Estimate(value, new Interval(value - half, value + half), twoSided(value / standardError, freedom));
    }

    /** The probability of a Student's t at least as far from 0, with degrees of freedom, whole or not; NaN for NaN. */
    static double twoSided(double t, double freedom) {
        return Double.isNaN(t) ? t : 2 * new TDistribution(null, freedom).cumulativeProbability(-Math.abs(t));
    }

    /** Whether {@link #ofContrast} takes these groups: two rows each, and two clusters in all of them together. */
    public static boolean canContrast(int[][] groups, Clusters clusters) {
        int[] rows = Arrays.stream(groups).flatMapToInt(Arrays::stream).toArray();
        return Arrays.stream(groups).allMatch(group -> group.length > 1)
                && clusters.at(rows).count() > 1;
    }

    /**
     * A weighted sum of the means of groups of rows, with interval and test of the null hypothesis that it is 0: by Welch and
     * Satterthwaite where each row is by itself, else by the sandwich CR1 of clusters and t with clusters - 1.
     *
     * @param groups rows of each, in none twice; at least two each
     * @throws IllegalArgumentException for fewer rows or clusters
     */
    public static Estimate ofContrast(
            double[] values, int[][] groups, double[] weights, Clusters clusters, double confidence) {
        if (clusters.areSingle()) {
            Moments[] samples = Arrays.stream(groups)
                    .map(group -> Moments.of(values, group))
                    .toArray(Moments[]::new);
            return Moments.contrast(samples, weights, confidence);
        }
        return ClusterRobustEstimates.ofMeans(values, groups, clusters).contrast(weights, confidence);
    }

    /**
     * The sum of some numbers over the sum of others, with interval and t test of the null hypothesis that it is 0:
     * linearised, as Cochran (1977, section 2.11) does, by the mean of residuals a - R b over the mean of b.
     *
     * @param numerators a of each row
     * @param denominators b of each, whose sum is not 0
     * @param clusters which rows count as one, at least two
     */
    public static Estimate ofRatio(double[] numerators, double[] denominators, Clusters clusters, double confidence) {
        double ratio =
                Arrays.stream(numerators).sum() / Arrays.stream(denominators).sum();
        double mean = Arrays.stream(denominators).average().orElseThrow();
        double[] residuals = new double[numerators.length];
        for (int i = 0; i < residuals.length; i++) {
            residuals[i] = (numerators[i] - ratio * denominators[i]) / mean;
        }
        Moments spread = Moments.of(residuals, clusters);
        if (!spread.isEstimable()) {
            throw new IllegalArgumentException("at least two clusters are needed: " + clusters.count());
        }
        return ofT(ratio, spread.standardError(), clusters.count() - 1, confidence);
    }

    /**
     * The same slope as {@link #ofSlope(double[], double[], double)} for points in clusters: standard error by the sandwich
     * CR1, t with clusters - 1.
     */
    public static Estimate ofSlope(double[] x, double[] y, Clusters clusters, double confidence) {
        Estimate single = ofSlope(x, y, confidence);
        if (clusters.areSingle() || clusters.count() < 2) {
            return single;
        }
        Moments xs = Moments.of(x);
        double meanY = Moments.of(y).mean();
        double[][] parts = new double[clusters.count()][1];
        for (int i = 0; i < x.length; i++) {
            double deviation = x[i] - xs.mean();
            double residual = y[i] - meanY - single.value() * deviation;
            parts[clusters.of()[i]][0] += deviation * residual / xs.squares();
        }
        return new ClusterRobustEstimates(new double[] {single.value()}, parts).estimate(0, confidence);
    }

    /**
     * The slope of a straight line through points by least squares, y on x. Its standard error allows for a spread of y
     * that depends on x (HC3, MacKinnon and White 1985): scores near 1 spread less than others. Interval and p-value by
     * the t distribution with n - 2 degrees of freedom; null hypothesis: the slope is 0.
     *
     * @throws IllegalArgumentException if the arrays differ in length, hold fewer than three points, or all x are equal
     */
    public static Estimate ofSlope(double[] x, double[] y, double confidence) {
        int n = x.length;
        if (n != y.length || n < 3) {
            throw new IllegalArgumentException("at least three points are needed: " + n + ", " + y.length);
        }
        Moments xs = Moments.of(x);
        double meanY = Moments.of(y).mean();
        if (xs.squares() == 0) {
            throw new IllegalArgumentException("all x are equal");
        }
        double products = 0;
        for (int i = 0; i < n; i++) {
            products += (x[i] - xs.mean()) * (y[i] - meanY);
        }
        double slope = products / xs.squares();
        double meat = 0;
        for (int i = 0; i < n; i++) {
            double deviation = x[i] - xs.mean();
            double leverage = 1.0 / n + deviation * deviation / xs.squares();
            // A point with all the leverage is fitted exactly and leaves no residual to scale.
            double residual = leverage < 1 ? (y[i] - meanY - slope * deviation) / (1 - leverage) : 0;
            meat += deviation * deviation * residual * residual;
        }
        return ofT(slope, Math.sqrt(meat) / xs.squares(), n - 2, confidence);
    }
}
