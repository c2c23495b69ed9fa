package io.posbias.stats;

import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * A share with Wilson's score interval (Wilson 1927), which stays within 0 and 1 and is sound for small counts too.
 *
 * @param hits how many of n
 * @param n how many there are, at least 1
 * @param interval of the true share
 */
public record Proportion(int hits, int n, Interval interval) {
    /**
     * A share with its interval; equal to scipy's {@code binomtest(hits, n).proportion_ci(method="wilson")}.
     *
     * @param hits from 0 to n
     * @param n at least 1
     * @param confidence between 0 and 1
     */
    public static Proportion of(int hits, int n, double confidence) {
        if (n < 1 || hits < 0 || hits > n) {
            throw new IllegalArgumentException("no share: " + hits + " of " + n);
        }
        double z = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(1 - (1 - confidence) / 2);
        double share = (double) hits / n;
        double scale = 1 + z * z / n;
        double centre = (share + z * z / (2 * n)) / scale;
        double half = z * Math.sqrt(share * (1 - share) / n + z * z / (4.0 * n * n)) / scale;
        return new Proportion(hits, n, new Interval(centre - half, centre + half).within(0, 1));
    }

    /** From 0 to 1. */
    public double share() {
        return (double) hits / n;
    }
}
