package io.posbias.stats;

import java.util.function.ToDoubleFunction;

/** Exact permutation test for few pairs: a statistic over all n! orders of one list. */
final class AllOrders {
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
