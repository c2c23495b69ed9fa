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
    /** A standard error that is a smaller part of its value is what rounding leaves of 0. */
    private static final double ROUNDING = 1e-12;

    /**
     * An estimate with a standard error whose ratio to it follows Student's t under the null hypothesis. Values that are all
     * equal have no standard error: p is then that of the sign test, 2^-freedom, and the interval holds 0 where it does not
     * reject.
     */
    static Estimate ofT(double value, double standardError, double freedom, double confidence) {
        if (standardError <= ROUNDING * Math.abs(value)) {
            double p = value == 0 ? 1 : Math.pow(2, -freedom);
            Interval only = new Interval(value, value);
            return new Estimate(value, p < 1 - confidence ? only : only.holding(0), p);
        }
        double half =
                new TDistribution(null, freedom).inverseCumulativeProbability(1 - (1 - confidence) / 2) * standardError;
        return new Estimate(value, new Interval(value - half, value + half), twoSided(value / standardError, freedom));
    }

    /** The probability of a Student's t at least as far from 0, with degrees of freedom, whole or not; NaN for NaN. */
    static double twoSided(double t, double freedom) {
        return Double.isNaN(t) ? t : 2 * new TDistribution(null, freedom).cumulativeProbability(-Math.abs(t));
    }

    /**
     * Whether {@link #ofContrast} takes these groups: each is of two clusters at least, and the values of each vary, or all
     * values of all groups are equal. A group without variance would count as certain.
     */
    public static boolean canContrast(double[] values, int[][] groups, Clusters clusters) {
        Moments[] moments = Arrays.stream(groups)
                .map(group -> Moments.of(values, group, clusters))
                .toArray(Moments[]::new);
        return Arrays.stream(moments).allMatch(Moments::isEstimable)
                && (Arrays.stream(moments).allMatch(Estimate::varies)
                        || Arrays.stream(moments).noneMatch(own -> varies(own) || own.mean() != moments[0].mean()));
    }

    private static boolean varies(Moments moments) {
        return moments.standardError() > ROUNDING * Math.abs(moments.mean());
    }

    /**
     * A weighted sum of the means of groups of rows, with interval and test of the null hypothesis that it is 0: by Welch and
     * Satterthwaite where each row is by itself, else by {@link ClusterRobustEstimates}.
     *
     * @param groups rows of each, in none twice; two clusters each at least
     * @throws IllegalArgumentException for fewer
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
        return ofT(ratio, spread.standardError(), spread.freedom(), confidence);
    }

    /**
     * The same slope as {@link #ofSlope(double[], double[], double)} for points in clusters: standard error by the sandwich
     * CR2, t with G* - 1, as in {@link ClusterRobustEstimates}.
     *
     * @throws IllegalArgumentException also for fewer than two clusters
     */
    public static Estimate ofSlope(double[] x, double[] y, Clusters clusters, double confidence) {
        Estimate single = ofSlope(x, y, confidence);
        if (clusters.areSingle()) {
            return single;
        }
        if (clusters.count() < 2) {
            throw new IllegalArgumentException("at least two clusters are needed: " + clusters.count());
        }
        Moments xs = Moments.of(x);
        double meanY = Moments.of(y).mean();
        double[] scores = new double[clusters.count()];
        double[] deviations = new double[clusters.count()];
        double[] squares = new double[clusters.count()];
        for (int i = 0; i < x.length; i++) {
            int cluster = clusters.of()[i];
            double deviation = x[i] - xs.mean();
            scores[cluster] += deviation * (y[i] - meanY - single.value() * deviation);
            deviations[cluster] += deviation;
            squares[cluster] += deviation * deviation;
        }
        double variance = 0;
        for (int cluster = 0; cluster < scores.length; cluster++) {
            double own = squares[cluster];
            // The part of the cluster's score that the fit takes away from it.
            double taken = own == 0
                    ? 0
                    : (deviations[cluster] * deviations[cluster] / x.length + own * own / xs.squares()) / own;
            variance += taken < 1 ? scores[cluster] * scores[cluster] / (1 - taken) : 0;
        }
        return ofT(single.value(), Math.sqrt(variance) / xs.squares(), Clusters.freedom(squares), confidence);
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
