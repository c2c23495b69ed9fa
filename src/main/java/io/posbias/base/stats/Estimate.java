package io.posbias.base.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/** Estimate with confidence interval and two-sided p-value against 0. */
public record Estimate(double value, Interval interval, double pValue) {
    /** Smaller relative standard errors count as 0. */
    private static final double ROUNDING = 1e-12;

    /**
     * An estimate whose ratio to its standard error follows Student's t under the null hypothesis. Without variance, p is that
     * of the sign test, 2^-freedom, and the interval includes 0 if the test does not reject.
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

    /** Returns the estimate times a number other than 0. */
    public Estimate times(double factor) {
        return new Estimate(value * factor, interval.times(factor), pValue);
    }

    /** Clips the interval to [-1, 1], the range of differences and contrasts of means of scores from 0 to 1. */
    public Estimate ofScores() {
        return new Estimate(value, interval.within(-1, 1), pValue);
    }

    /** Two-sided p-value of t; degrees of freedom may be fractional; NaN for NaN. */
    static double twoSided(double t, double freedom) {
        return Double.isNaN(t) ? t : 2 * new TDistribution(null, freedom).cumulativeProbability(-Math.abs(t));
    }

    /**
     * Returns true if {@link #ofContrast} applies: each group has two clusters and variance, or all values of all groups are
     * equal. A group without variance would count as certain.
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
     * A weighted sum of group means with a test against 0: Welch and Satterthwaite for single rows, otherwise {@link
     * ClusterRobustEstimates}.
     *
     * @param groups disjoint, at least two clusters each
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
     * Slope for points in clusters: sandwich CR2, t with G* - 1, as in {@link ClusterRobustEstimates}.
     *
     * @throws IllegalArgumentException for fewer than two clusters
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
     * Least-squares slope of y on x with HC3 standard errors (MacKinnon and White 1985), because the spread of y depends on x:
     * scores near 1 vary less. t with n - 2 degrees of freedom.
     *
     * @throws IllegalArgumentException if the lengths differ or are below 3, or all x are equal
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
