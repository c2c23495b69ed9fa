package io.posbias.base.stats;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Mean, spread and skewness of a sample, computed in two passes. Deviations within a cluster are summed before squaring.
 *
 * @param clusters equals {@code n} without clusters
 * @param effective see {@link Clusters#effective}
 * @param mean NaN without values
 * @param squares sum of squared cluster deviations, each divided by the share of values outside the cluster (CR2, Bell and
 *     McCaffrey 2002); without clusters the plain sum
 */
public record Moments(int n, int clusters, double effective, double mean, double squares, double cubes) {
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

    public static Moments of(double[] values, int[] places) {
        return of(at(values, places));
    }

    public static Moments of(double[] values, int[] places, Clusters clusters) {
        return of(at(values, places), clusters.at(places));
    }

    public static double[] at(double[] values, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
    }

    /** Sample variance (n - 1); NaN for fewer than two values. */
    public double variance() {
        return n < 2 ? Double.NaN : squares / (n - 1);
    }

    /** Standard error of the mean, by CR2 for clusters; NaN for fewer than two clusters. */
    public double standardError() {
        if (clusters == n) {
            return Math.sqrt(variance() / n);
        }
        return clusters < 2 ? Double.NaN : Math.sqrt(squares) / n;
    }

    /** Degrees of freedom of the mean: n - 1, or G* - 1 for clusters; at least 1. */
    double freedom() {
        return Clusters.freedom(effective);
    }

    public boolean isEstimable() {
        return clusters >= 2;
    }

    /**
     * The mean with t interval and t test against 0, with n - 1 degrees of freedom, or G* - 1 for clusters.
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
     * Interval of the mean of scores from 0 to 1: that of {@link #estimate}; of scores that are all 0 or all 1, whose spread says
     * nothing, that of Clopper and Pearson (1934) for as many clusters.
     *
     * @throws IllegalArgumentException for fewer than two clusters
     */
    public Interval ofScores(double confidence) {
        Interval interval = estimate(confidence).interval();
        if (squares > 0 || (mean != 0 && mean != 1)) {
            return interval.within(0, 1);
        }
        double missed = 1 - Math.pow((1 - confidence) / 2, 1.0 / clusters);
        return mean == 0 ? new Interval(0, missed) : new Interval(1 - missed, 1);
    }

    /**
     * A weighted sum of the means of independent samples with a t test against 0; degrees of freedom by Welch (1947) and
     * Satterthwaite.
     *
     * @throws IllegalArgumentException if a sample has fewer than two values
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

    /**
     * Mean with its t interval.
     *
     * @param interval null for fewer than two values
     */
    public record Mean(double mean, @Nullable Interval interval) {
        public static Mean of(double[] values, double confidence) {
            Moments moments = Moments.of(values);
            return new Mean(
                    moments.mean(),
                    moments.n() < 2 ? null : moments.estimate(confidence).interval());
        }
    }
}
