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
        return new Estimate(
                value, new Interval(value - half, value + half), twoSided(value / standardError, freedom));
    }

    /** The probability of a Student's t at least as far from 0, with degrees of freedom, whole or not; NaN for NaN. */
    static double twoSided(double t, double freedom) {
        return Double.isNaN(t) ? t : 2 * new TDistribution(null, freedom).cumulativeProbability(-Math.abs(t));
    }
}
