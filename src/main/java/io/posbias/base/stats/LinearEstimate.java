package io.posbias.base.stats;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A linear function of a fit, with each cluster's contribution to its error.
 *
 * @param parts corrected error contributions by cluster; the variance is their sum of squares
 * @param variances contributions to the variance by cluster if all rows varied alike, up to a factor; for G*
 * @param direction weights of the rows' columns: that of a row is its product with the columns, less their group's mean
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record LinearEstimate(double value, double[] parts, double[] variances, double[] direction) {
    /** G*, the effective number of clusters of this estimate. */
    public double effective() {
        return Clusters.effective(variances);
    }

    /** The estimate with interval and t test against 0, with G* - 1 degrees of freedom, at least 1. */
    public Estimate estimate(double confidence) {
        double variance = Arrays.stream(parts).map(part -> part * part).sum();
        return Estimate.ofT(value, Math.sqrt(variance), Clusters.freedom(variances), confidence);
    }

    public LinearEstimate times(double factor) {
        return new LinearEstimate(
                value * factor, times(parts, factor), times(variances, factor * factor), times(direction, factor));
    }

    private static double[] times(double[] numbers, double factor) {
        return Arrays.stream(numbers).map(number -> number * factor).toArray();
    }

    /**
     * This less another of the same clusters.
     *
     * @param of contributions of the clusters to the variance of the difference, as {@link #variances}
     */
    public LinearEstimate minus(LinearEstimate other, double[] of) {
        double[] differences = IntStream.range(0, parts.length)
                .mapToDouble(cluster -> parts[cluster] - other.parts[cluster])
                .toArray();
        return new LinearEstimate(value - other.value, differences, of, direction);
    }
}
