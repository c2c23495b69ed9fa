package io.posbias.stats;

import java.util.Arrays;

/**
 * Mean, spread and skewness of a sample, computed in two passes.
 *
 * @param n how many values
 * @param mean their mean; NaN for none
 * @param squares sum of squared deviations from it
 * @param cubes sum of cubed deviations
 */
public record Moments(int n, double mean, double squares, double cubes) {
    /** The moments of some values. */
    public static Moments of(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        double squares = 0;
        double cubes = 0;
        for (double value : values) {
            double deviation = value - mean;
            squares += deviation * deviation;
            cubes += deviation * deviation * deviation;
        }
        return new Moments(values.length, mean, squares, cubes);
    }

    /** The moments of the values at some places. */
    public static Moments of(double[] values, int[] places) {
        return of(at(values, places));
    }

    /** The values at some places. */
    public static double[] at(double[] values, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
    }

    /** Variance with n - 1; NaN for fewer than two values. */
    public double variance() {
        return n < 2 ? Double.NaN : squares / (n - 1);
    }

    /** Standard error of the mean; NaN for fewer than two values. */
    public double standardError() {
        return Math.sqrt(variance() / n);
    }

    /**
     * The mean with Student's t interval and the t test of the null hypothesis that the true mean is 0.
     *
     * @throws IllegalArgumentException for fewer than two values
     */
    public Estimate estimate(double confidence) {
        if (n < 2) {
            throw new IllegalArgumentException("at least two values are needed: " + n);
        }
        return Estimate.ofT(mean, standardError(), n - 1, confidence);
    }

    /**
     * The mean minus another sample's, with Welch's interval and t test of the null hypothesis that both true means are
     * equal; the samples are independent and may differ in size and variance (Welch 1947).
     *
     * @throws IllegalArgumentException if one of the samples holds fewer than two values
     */
    public Estimate minus(Moments other, double confidence) {
        return contrast(new Moments[] {this, other}, new double[] {1, -1}, confidence);
    }

    /**
     * A weighted sum of the means of independent samples, with the interval and t test of the null hypothesis that it is
     * 0; degrees of freedom by Welch and Satterthwaite.
     *
     * @throws IllegalArgumentException if one of the samples holds fewer than two values
     */
    public static Estimate contrast(Moments[] samples, double[] weights, double confidence) {
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
