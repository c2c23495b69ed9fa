package io.posbias.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Holm's correction for many tests (Holm 1979): rejecting where the adjusted p-value is below the level keeps the chance
 * of any false rejection below it, however the tests depend on each other.
 */
public final class Holm {
    /** Part of a draw that is taken for rounding. */
    private static final double ROUNDING = 1e-6;

    private Holm() {}

    /** The adjusted p-values, in the order given; at most 1. */
    public static double[] adjust(double[] pValues) {
        int[] order = IntStream.range(0, pValues.length)
                .boxed()
                .sorted(Comparator.comparingDouble(place -> pValues[place]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] adjusted = new double[pValues.length];
        double largest = 0;
        for (int rank = 0; rank < order.length; rank++) {
            largest = Math.max(largest, Math.min(1, (order.length - rank) * pValues[order[rank]]));
            adjusted[order[rank]] = largest;
        }
        return adjusted;
    }

    /**
     * Returns the fewest draws with which one of many tests can reject: with d draws no p-value is below 2 / (d + 1), which
     * must be below level / tests. At level 0.05 these are 40 for each test.
     */
    public static int draws(int tests, double level) {
        return (int) Math.ceil(2 * tests / level - ROUNDING);
    }

    /** The adjusted p-values, in the order given, of those there are; null for the others, which do not count. */
    public static List<@Nullable Double> adjustPresent(List<@Nullable Double> pValues) {
        double[] adjusted = adjust(
                pValues.stream().filter(Objects::nonNull).mapToDouble(p -> p).toArray());
        List<@Nullable Double> all = new ArrayList<>();
        int next = 0;
        for (Double p : pValues) {
            all.add(p == null ? null : (Double) adjusted[next++]);
        }
        return all;
    }
}
