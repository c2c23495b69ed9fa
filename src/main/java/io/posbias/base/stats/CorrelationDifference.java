package io.posbias.base.stats;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Difference of two dependent correlations, over the same units: Spearman's rho(x, first) - rho(x, second).
 *
 * <p>p: under the null hypothesis both ranks of a unit are exchangeable (Fisher 1935): they are swapped and ranked again, in all
 * ways for up to {@value #EXACT} units, otherwise in random ones. The interval is that of percentiles over draws of units with
 * replacement, ranked again (Efron and Tibshirani 1993); draws in which a list is constant do not count.
 *
 * @param difference interval and p are of two methods, and may disagree about 0
 * @param unit number of the unit without which the difference changes most
 * @param firstWithout rho(x, first) without this unit; NaN where a list is then constant
 * @param secondWithout rho(x, second) without it
 */
public record CorrelationDifference(Estimate difference, int unit, double firstWithout, double secondWithout) {
    /** Minimum number of units. */
    public static final int LEAST = Correlation.LEAST + 1;

    /** Most units for an exact test: all 4,096 swaps are counted. */
    private static final int EXACT = 12;

    private static final double ROUNDING = 1e-12;

    /** Three lists over the same units. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Lists(double[] x, double[] first, double[] second) {
        Lists at(int[] units) {
            return new Lists(Moments.at(x, units), Moments.at(first, units), Moments.at(second, units));
        }

        Lists swapped(IntPredicate isSwapped) {
            double[] one = first.clone();
            double[] other = second.clone();
            IntStream.range(0, x.length).filter(isSwapped).forEach(unit -> {
                one[unit] = second[unit];
                other[unit] = first[unit];
            });
            return new Lists(x, one, other);
        }

        double difference() {
            return Correlation.rho(x, first) - Correlation.rho(x, second);
        }
    }

    /**
     * Compares two correlations.
     *
     * @param draws of units, and of swaps of more than {@value #EXACT} units
     * @throws IllegalArgumentException for lists of different lengths or fewer than {@value #LEAST} units, or a constant list
     */
    public static CorrelationDifference of(double[] x, double[] first, double[] second, Bootstrap.Draws draws) {
        int n = x.length;
        Lists all = new Lists(Correlation.ranks(x), Correlation.ranks(first), Correlation.ranks(second));
        double difference = all.difference();
        if (n < LEAST || n != first.length || n != second.length || Double.isNaN(difference)) {
            throw new IllegalArgumentException("four units with numbers that vary are needed");
        }
        double[] drawn = new double[draws.number()];
        SeededStreams.run(
                drawn.length,
                draws.seed(),
                1,
                () -> (number, random) -> drawn[number] = all.at(IntStream.range(0, n)
                                .map(i -> SeededStreams.below(n, random))
                                .toArray())
                        .difference());
        Lists[] without = IntStream.range(0, n)
                .mapToObj(unit -> all.at(
                        IntStream.range(0, n).filter(other -> other != unit).toArray()))
                .toArray(Lists[]::new);
        int most = IntStream.range(0, n)
                .boxed()
                .max(Comparator.comparingDouble(unit -> change(without[unit], difference)))
                .orElseThrow();
        return new CorrelationDifference(
                new Estimate(
                        difference,
                        Bootstrap.percentile(drawn, draws.confidence()),
                        n <= EXACT ? exact(all, difference) : drawn(all, difference, draws)),
                most,
                Correlation.rho(without[most].x, without[most].first),
                Correlation.rho(without[most].x, without[most].second));
    }

    /** Infinite where a list is constant without a unit. */
    private static double change(Lists without, double difference) {
        double own = without.difference();
        return Double.isNaN(own) ? Double.POSITIVE_INFINITY : Math.abs(own - difference);
    }

    private static double exact(Lists all, double difference) {
        int swaps = 1 << all.x.length;
        return (double) IntStream.range(0, swaps)
                        .filter(bits -> isAsFar(all.swapped(unit -> (bits >> unit & 1) == 1), difference))
                        .count()
                / swaps;
    }

    private static double drawn(Lists all, double difference, Bootstrap.Draws draws) {
        int[] asFar = new int[draws.number()];
        SeededStreams.run(asFar.length, draws.seed(), 1, () -> (number, random) -> {
            long[] bits = new long[Math.ceilDiv(all.x.length, Long.SIZE)];
            Arrays.setAll(bits, i -> random.nextLong());
            asFar[number] = isAsFar(all.swapped(unit -> (bits[unit / Long.SIZE] >> unit & 1) == 1), difference) ? 1 : 0;
        });
        return (1.0 + Arrays.stream(asFar).sum()) / (1 + asFar.length);
    }

    /** A swap that makes a list constant counts as far, on the safe side. */
    private static boolean isAsFar(Lists swapped, double difference) {
        return !(Math.abs(swapped.difference()) < Math.abs(difference) - ROUNDING);
    }
}
