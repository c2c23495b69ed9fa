package io.posbias.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.stat.correlation.KendallsCorrelation;
import org.apache.commons.math3.stat.correlation.PearsonsCorrelation;
import org.apache.commons.math3.stat.ranking.NaturalRanking;
import org.apache.commons.math3.util.FastMath;
import org.jspecify.annotations.Nullable;

/**
 * How two paired lists of numbers go together.
 *
 * @param coefficient between -1 and 1; NaN when one of the lists is constant
 * @param pValue two-sided; NaN likewise
 */
public record Correlation(@JsonProperty("value") double coefficient, double pValue) {
    private static final int LEAST = 3;

    /** A rho this near to 1 is one of rounding. */
    private static final double ROUNDING = 1e-12;

    /**
     * Pearson's r. The p-value is that of the t distribution with n - 2 degrees of freedom; null hypothesis: no linear
     * relation between normally distributed values. Equal to scipy.stats.pearsonr.
     *
     * @throws IllegalArgumentException if the arrays differ in length or hold fewer than three pairs
     */
    public static Correlation pearson(double[] x, double[] y) {
        check(x, y);
        return ofR(new PearsonsCorrelation().correlation(x, y), x.length);
    }

    /**
     * Spearman's rho: Pearson's r of the ranks, tied values sharing their mean rank. Null hypothesis: the orders are
     * independent. Equal to scipy.stats.spearmanr.
     *
     * @throws IllegalArgumentException if the arrays differ in length or hold fewer than three pairs
     */
    public static Correlation spearman(double[] x, double[] y) {
        check(x, y);
        NaturalRanking ranking = new NaturalRanking();
        return ofR(new PearsonsCorrelation().correlation(ranking.rank(x), ranking.rank(y)), x.length);
    }

    /** Pearson's r of pairs in clusters: p is that of the slope by the sandwich CR1, which is 0 where r is. */
    public static Correlation pearson(double[] x, double[] y, Clusters clusters) {
        Correlation single = pearson(x, y);
        return clusters.areSingle() || Double.isNaN(single.coefficient)
                ? single
                : new Correlation(
                        single.coefficient,
                        Estimate.ofSlope(x, y, clusters, 0.5).pValue());
    }

    /** Spearman's rho likewise, by the slope of the ranks. */
    public static Correlation spearman(double[] x, double[] y, Clusters clusters) {
        NaturalRanking ranking = new NaturalRanking();
        return clusters.areSingle() ? spearman(x, y) : pearson(ranking.rank(x), ranking.rank(y), clusters);
    }

    /**
     * Kendall's tau-b. Null hypothesis: the orders are independent; the p-value is that of the normal approximation with
     * ties (Kendall 1970). Equal to scipy.stats.kendalltau with {@code method="asymptotic"}.
     *
     * @throws IllegalArgumentException if the arrays differ in length or hold fewer than three pairs
     */
    public static Correlation kendall(double[] x, double[] y) {
        check(x, y);
        Ties inX = Ties.of(x);
        Ties inY = Ties.of(y);
        double n = x.length;
        double pairs = n * (n - 1);
        if (inX.pairs == pairs || inY.pairs == pairs) {
            return new Correlation(Double.NaN, Double.NaN);
        }
        double tau = new KendallsCorrelation().correlation(x, y);
        // tau-b is (concordant - discordant) / sqrt(untied pairs of x * untied pairs of y)
        double difference = tau * Math.sqrt((pairs - inX.pairs) / 2 * ((pairs - inY.pairs) / 2));
        double variance = (pairs * (2 * n + 5) - inX.spread - inY.spread) / 18
                + 2 * (inX.pairs / 2) * (inY.pairs / 2) / pairs
                + inX.triples * inY.triples / (9 * pairs * (n - 2));
        double z = difference / Math.sqrt(variance);
        return new Correlation(tau, 2 * new NormalDistribution(null, 0, 1).cumulativeProbability(-Math.abs(z)));
    }

    /**
     * The interval of Spearman's rho: Fisher's z = atanh(rho) with the standard error sqrt((1 + rho^2 / 2) / (n - 3)) of
     * Bonett and Wright 2000, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations",
     * Psychometrika 65, equation 5. It is approximate, and wide for few pairs.
     *
     * @param rho Spearman's
     * @param n pairs
     * @param confidence between 0 and 1
     * @return null for fewer than four pairs, and for a rho of -1 or 1, whose z is infinite
     */
    public static @Nullable Interval ofSpearman(double rho, int n, double confidence) {
        if (n <= LEAST || !(Math.abs(rho) < 1 - ROUNDING)) {
            return null;
        }
        double z = FastMath.atanh(rho);
        double half = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(1 - (1 - confidence) / 2)
                * Math.sqrt((1 + rho * rho / 2) / (n - LEAST));
        return new Interval(Math.tanh(z - half), Math.tanh(z + half));
    }

    /** Pearson's r whose p-value is exact for at most nine pairs: over all n! orders of y, beside the same x. */
    public static Correlation pearsonOfFew(double[] x, double[] y) {
        return pearson(x, y).exact(y, order -> products(x, order));
    }

    /** Spearman's rho likewise. */
    public static Correlation spearmanOfFew(double[] x, double[] y) {
        double[] ranks = new NaturalRanking().rank(x);
        return spearman(x, y).exact(new NaturalRanking().rank(y), order -> products(ranks, order));
    }

    /** Kendall's tau-b likewise. */
    public static Correlation kendallOfFew(double[] x, double[] y) {
        return kendall(x, y).exact(y, order -> concordance(x, order));
    }

    /** @param statistic what is proportional to the coefficient over the orders of some values */
    private Correlation exact(double[] values, ToDoubleFunction<double[]> statistic) {
        return values.length > AllOrders.MOST || Double.isNaN(coefficient)
                ? this
                : new Correlation(coefficient, AllOrders.pValue(values, statistic));
    }

    private static double products(double[] x, double[] y) {
        double mean = Moments.of(x).mean();
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += (x[i] - mean) * y[i];
        }
        return sum;
    }

    /** Concordant minus discordant pairs. */
    private static double concordance(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < i; j++) {
                sum += Math.signum(x[i] - x[j]) * Math.signum(y[i] - y[j]);
            }
        }
        return sum;
    }

    private static Correlation ofR(double r, int n) {
        int freedom = n - 2;
        double t = r * Math.sqrt(freedom / ((1 + r) * (1 - r)));
        return new Correlation(r, Estimate.twoSided(t, freedom));
    }

    private static void check(double[] x, double[] y) {
        if (x.length != y.length || x.length < LEAST) {
            throw new IllegalArgumentException("at least three pairs are needed: " + x.length + ", " + y.length);
        }
    }

    /** Sums over groups of t equal values: t(t-1), t(t-1)(t-2), t(t-1)(2t+5). */
    private record Ties(double pairs, double triples, double spread) {
        static Ties of(double[] values) {
            double[] sorted = Arrays.stream(values).sorted().toArray();
            double pairs = 0;
            double triples = 0;
            double spread = 0;
            for (int from = 0; from < sorted.length; ) {
                int to = from + 1;
                while (to < sorted.length && sorted[to] == sorted[from]) {
                    to++;
                }
                double t = to - from;
                pairs += t * (t - 1);
                triples += t * (t - 1) * (t - 2);
                spread += t * (t - 1) * (2 * t + 5);
                from = to;
            }
            return new Ties(pairs, triples, spread);
        }
    }
}
