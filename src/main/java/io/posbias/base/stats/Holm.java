package io.posbias.base.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Holm's correction for multiple tests (Holm 1979): controls the family-wise error rate under any dependence. */
public final class Holm {
    private static final double ROUNDING = 1e-6;

    private Holm() {}

    /** The adjusted p-values, in the given order. */
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
     * The minimum number of draws with which one of several tests can reject: the smallest p-value 2 / (d + 1) must be below
     * level / tests, about 40 draws per test at 0.05.
     */
    public static int draws(int tests, double level) {
        return (int) Math.ceil(2 * tests / level - ROUNDING);
    }

    /** The adjusted p-values, in the given order, ignoring null. */
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
