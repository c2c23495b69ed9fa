package io.posbias.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Holm's correction for many tests (Holm 1979): rejecting where the adjusted p-value is below the level keeps the chance
 * of any false rejection below it, however the tests depend on each other.
 */
public final class Holm {
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
}
