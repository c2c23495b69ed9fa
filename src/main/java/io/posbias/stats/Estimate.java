package io.posbias.stats;

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
