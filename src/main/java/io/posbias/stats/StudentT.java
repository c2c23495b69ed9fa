package io.posbias.stats;

import org.apache.commons.math3.distribution.TDistribution;

/** Student's t distribution. */
final class StudentT {
    private final TDistribution distribution;

    /** With so many degrees of freedom, above 0, whole or not. */
    StudentT(double freedom) {
        this.distribution = new TDistribution(null, freedom);
    }

    /** The value that is exceeded with probability 1 - p. */
    double quantile(double p) {
        return distribution.inverseCumulativeProbability(p);
    }

    /** The probability of a value at least as far from 0; NaN for NaN. */
    double twoSided(double t) {
        return Double.isNaN(t) ? t : 2 * distribution.cumulativeProbability(-Math.abs(t));
    }
}
