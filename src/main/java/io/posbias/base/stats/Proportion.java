package io.posbias.base.stats;

import org.apache.commons.math3.distribution.NormalDistribution;

/** Proportion with Wilson's score interval (Wilson 1927), which stays in [0, 1] and is valid for small counts. */
public record Proportion(int hits, int n, Interval interval) {
    /** Computes the interval; equals scipy's {@code binomtest(hits, n).proportion_ci(method="wilson")}. */
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

    public double share() {
        return (double) hits / n;
    }
}
