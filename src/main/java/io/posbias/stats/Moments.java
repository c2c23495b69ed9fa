package io.posbias.stats;

import java.util.Arrays;

/**
 * Mean, spread and skewness of a sample, computed in two passes. Values of a cluster deviate together: their deviations are
 * summed before they are squared.
 *
 * @param n how many values
 * @param clusters how many clusters they are of; {@code n} where each is by itself
 * @param effective how many clusters of one size would know the mean as well, see {@link Clusters#effective}
 * @param mean of the values, each counted once; NaN for none
 * @param squares sum over clusters of squared deviations from it, each divided by the part of the values that is not the
 *     cluster's own (CR2, Bell and McCaffrey 2002); where each value is by itself the plain sum
 * @param cubes sum over clusters of cubed deviations
 */
public record Moments(int n, int clusters, double effective, double mean, double squares, double cubes) {
    /** The moments of some values, each by itself. */
    public static Moments of(double[] values) {
        double mean = mean(values);
        double[] deviations = values.clone();
        for (int i = 0; i < deviations.length; i++) {
            deviations[i] -= mean;
        }
        double squares = 0;
        double cubes = 0;
        for (double deviation : deviations) {
            squares += deviation * deviation;
            cubes += deviation * deviation * deviation;
        }
        return new Moments(values.length, values.length, values.length, mean, squares, cubes);
    }

    /** The moments of some values in clusters. */
    public static Moments of(double[] values, Clusters clusters) {
        if (clusters.areSingle()) {
            return of(values);
        }
        double mean = mean(values);
        double[] deviations = new double[clusters.count()];
        for (int i = 0; i < values.length; i++) {
            deviations[clusters.of()[i]] += values[i] - mean;
        }
        int[] sizes = clusters.sizes();
        double squares = 0;
        double cubes = 0;
        for (int cluster = 0; cluster < sizes.length; cluster++) {
            double others = 1 - (double) sizes[cluster] / values.length;
            squares += others == 0 ? 0 : deviations[cluster] * deviations[cluster] / others;
            cubes += deviations[cluster] * deviations[cluster] * deviations[cluster];
        }
        return new Moments(values.length, clusters.count(), clusters.effective(), mean, squares, cubes);
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    /** The moments of the values at some places. */
    public static Moments of(double[] values, int[] places) {
        return of(at(values, places));
    }

    /** The moments of the values at some places. */
    public static Moments of(double[] values, int[] places, Clusters clusters) {
        return of(at(values, places), clusters.at(places));
    }

    /** The values at some places. */
    public static double[] at(double[] values, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
    }

    /** Variance of single values with n - 1; NaN for fewer than two values. */
    public double variance() {
        return n < 2 ? Double.NaN : squares / (n - 1);
    }

    /**
     * Standard error of the mean, by the sandwich CR2 for clusters, which is the usual one where each value is by itself; NaN
     * for fewer than two clusters.
     */
    public double standardError() {
        if (clusters == n) {
            return Math.sqrt(variance() / n);
        }
        return clusters < 2 ? Double.NaN : Math.sqrt(squares) / n;
    }

    /** Degrees of freedom of the mean: n - 1, or G* - 1 of clusters, at least 1. */
    double freedom() {
        return Math.max(1, effective - 1);
    }

    /** Whether there are clusters enough for an interval: two. */
    public boolean isEstimable() {
        return clusters >= 2;
    }

    /**
     * The mean with Student's t interval and the t test of the null hypothesis that the true mean is 0, with n - 1 degrees of
     * freedom, or G* - 1 of clusters.
     *
     * @throws IllegalArgumentException for fewer than two clusters
     */
    public Estimate estimate(double confidence) {
        if (!isEstimable()) {
            throw new IllegalArgumentException("at least two values are needed: " + clusters);
        }
        return Estimate.ofT(mean, standardError(), freedom(), confidence);
    }

    /**
     * A weighted sum of the means of independent samples of single values, with the interval and t test of the null
     * hypothesis that it is 0; the samples may differ in size and variance. Degrees of freedom are those of Welch (1947) and
     * Satterthwaite; of two samples weighted 1 and -1 it is Welch's test.
     *
     * @throws IllegalArgumentException if one of the samples holds fewer than two values
     */
    static Estimate contrast(Moments[] samples, double[] weights, double confidence) {
        double value = 0;
        double variance = 0;
        double squares = 0;
        for (int i = 0; i < samples.length; i++) {
            Moments sample = samples[i];
            if (sample.n < 2) {
                throw new IllegalArgumentException("at least two values each are needed: " + sample.n);
            }
            double part = weights[i] * weights[i] * sample.variance() / sample.n;
            value += weights[i] * sample.mean;
            variance += part;
            squares += part * part / (sample.n - 1);
        }
        return Estimate.ofT(value, Math.sqrt(variance), variance * variance / squares, confidence);
    }
}
