package io.posbias.base.stats;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * Correlation of two paired lists. The p-value of at most {@value AllOrders#MOST} pairs is exact: the share of all n! orders of
 * one list with a coefficient at least as far from 0. For more pairs, see the methods.
 *
 * @param coefficient from -1 to 1; NaN if one list is constant
 * @param pValue two-sided; NaN if one list is constant; null without a test
 */
public record Correlation(
        @JsonProperty("value") double coefficient,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double pValue) {
    /** Minimum number of pairs. */
    public static final int LEAST = 3;

    private static final double ROUNDING = 1e-12;

    /**
     * Pearson's r with the t test of n - 2 degrees of freedom; equals scipy.stats.pearsonr.
     *
     * @throws IllegalArgumentException if the lengths differ or are below 3
     */
    public static Correlation pearson(double[] x, double[] y) {
        check(x, y);
        return ofR(x, y);
    }

    /**
     * Spearman's rho, tied values sharing their mean rank; equals scipy.stats.spearmanr.
     *
     * @throws IllegalArgumentException if the lengths differ or are below 3
     */
    public static Correlation spearman(double[] x, double[] y) {
        check(x, y);
        return ofR(ranks(x), ranks(y));
    }

    /** Ranks from 1; tied values share their mean rank. */
    static double[] ranks(double[] values) {
        return new NaturalRanking().rank(values);
    }

    /** Spearman's rho without a test; NaN if one list is constant. */
    static double rho(double[] x, double[] y) {
        return new PearsonsCorrelation().correlation(ranks(x), ranks(y));
    }

    /** Pearson's r of clustered pairs, with the p-value of {@link Estimate#ofSlope(double[], double[], Clusters, double)}. */
    public static Correlation pearson(double[] x, double[] y, Clusters clusters) {
        Correlation single = pearson(x, y);
        return clusters.areSingle() || Double.isNaN(single.coefficient)
                ? single
                : new Correlation(
                        single.coefficient,
                        Estimate.ofSlope(x, y, clusters, 0.5).pValue());
    }

    /** Spearman's rho of clustered pairs, with the p-value of the slope of ranks. */
    public static Correlation spearman(double[] x, double[] y, Clusters clusters) {
        return clusters.areSingle() ? spearman(x, y) : pearson(ranks(x), ranks(y), clusters);
    }

    /**
     * Kendall's tau-b with the normal approximation for ties (Kendall 1970); equals scipy.stats.kendalltau with {@code
     * method="asymptotic"}.
     *
     * @throws IllegalArgumentException if the lengths differ or are below 3
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
        if (AllOrders.areFew(x)) {
            return new Correlation(tau, AllOrders.pValue(y, order -> concordance(x, order)));
        }
        return new Correlation(tau, normal(tau, inX, inY, n));
    }

    /**
     * Kendall's tau-b of clustered pairs, without a test, because {@link #kendall(double[], double[])} assumes independent
     * pairs.
     */
    public static Correlation kendall(double[] x, double[] y, Clusters clusters) {
        Correlation single = kendall(x, y);
        return clusters.areSingle() ? single : new Correlation(single.coefficient, null);
    }

    private static double normal(double tau, Ties inX, Ties inY, double n) {
        double pairs = n * (n - 1);
        // tau-b is (concordant - discordant) / sqrt(untied pairs of x * untied pairs of y)
        double difference = tau * Math.sqrt((pairs - inX.pairs) / 2 * ((pairs - inY.pairs) / 2));
        double variance = (pairs * (2 * n + 5) - inX.spread - inY.spread) / 18
                + 2 * (inX.pairs / 2) * (inY.pairs / 2) / pairs
                + inX.triples * inY.triples / (9 * pairs * (n - 2));
        double z = difference / Math.sqrt(variance);
        return 2 * new NormalDistribution(null, 0, 1).cumulativeProbability(-Math.abs(z));
    }

    /**
     * Interval of Spearman's rho: Fisher's z = atanh(rho) with the standard error sqrt((1 + rho^2 / 2) / (n - 3)) of Bonett and
     * Wright 2000, "Sample size requirements for estimating Pearson, Kendall and Spearman correlations", Psychometrika 65,
     * equation 5. Approximate, and wide for few pairs.
     *
     * @return null for fewer than four pairs and for a rho of -1 or 1
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

    private static double concordance(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < i; j++) {
                sum += Math.signum(x[i] - x[j]) * Math.signum(y[i] - y[j]);
            }
        }
        return sum;
    }

    private static Correlation ofR(double[] x, double[] y) {
        double r = new PearsonsCorrelation().correlation(x, y);
        if (AllOrders.areFew(x) && !Double.isNaN(r)) {
            double mean = Moments.of(x).mean();
            double[] centred = Arrays.stream(x).map(value -> value - mean).toArray();
            return new Correlation(r, AllOrders.pValue(y, order -> product(centred, order)));
        }
        int freedom = x.length - 2;
        double t = r * Math.sqrt(freedom / ((1 + r) * (1 - r)));
        return new Correlation(r, Estimate.twoSided(t, freedom));
    }

    private static double product(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
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

    /** Exact permutation test for few pairs: a statistic over all n! orders of one list. */
    static final class AllOrders {
        /** More values have too many orders: 9! is 362,880. */
        static final int MOST = 9;

        private static final double ROUNDING = 1e-9;

        private final ToDoubleFunction<double[]> statistic;
        private final double least;
        private long orders;
        private long asFar;

        private AllOrders(double[] values, ToDoubleFunction<double[]> statistic) {
            this.statistic = statistic;
            double own = Math.abs(statistic.applyAsDouble(values));
            least = own - ROUNDING * Math.max(1, own);
        }

        /** Returns true if all orders are counted. */
        static boolean areFew(double[] values) {
            return values.length <= MOST;
        }

        /**
         * The two-sided p-value: the share of all orders, the one given among them, whose statistic is at least as far from 0.
         * Equal values are exchanged too, which changes no share.
         */
        static double pValue(double[] values, ToDoubleFunction<double[]> statistic) {
            AllOrders all = new AllOrders(values, statistic);
            all.count(values.clone(), values.length);
            return (double) all.asFar / all.orders;
        }

        /** Heap's algorithm: all orders of the first n values, each by one exchange from the one before. */
        private void count(double[] values, int n) {
            if (n <= 1) {
                orders++;
                asFar += Math.abs(statistic.applyAsDouble(values)) >= least ? 1 : 0;
                return;
            }
            for (int i = 0; i < n; i++) {
                count(values, n - 1);
                int other = n % 2 == 0 ? i : 0;
                double last = values[n - 1];
                values[n - 1] = values[other];
                values[other] = last;
            }
        }
    }
}
