package io.posbias.stats;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/**
 * Spearman's rank correlation, tied values sharing their mean rank.
 *
 * @param rho between -1 and 1; NaN when one of the arrays is constant
 * @param pValue two-sided, of the null hypothesis that both orders are independent, by the t distribution with n - 2
 *     degrees of freedom: scipy.stats.spearmanr's p-value
 */
public record RankCorrelation(double rho, double pValue) {
    private static final int LEAST = 3;

    /**
     * Correlates paired values.
     *
     * @throws IllegalArgumentException if the arrays differ in length or hold fewer than three pairs
     */
    public static RankCorrelation spearman(double[] x, double[] y) {
        if (x.length != y.length || x.length < LEAST) {
            throw new IllegalArgumentException("at least three pairs are needed: " + x.length + ", " + y.length);
        }
        double rho = new SpearmansCorrelation().correlation(x, y);
        int freedom = x.length - 2;
        double t = rho * Math.sqrt(freedom / ((1 + rho) * (1 - rho)));
        double p = Double.isNaN(t) ? t : 2 * new TDistribution(null, freedom).cumulativeProbability(-Math.abs(t));
        return new RankCorrelation(rho, p);
    }
}
