package io.posbias.stats;

import java.util.SplittableRandom;

/**
 * The paired randomisation test (Fisher 1935; Smucker, Allan and Carterette 2007 for its use in IR). Null hypothesis: both
 * systems are the same, so on each query their two scores could as well be swapped; a statistic is
 * compared with its values over random exchanges.
 */
public final class Randomisation {
    private Randomisation() {}

    /**
     * Exchanges the two scores of each query with probability one half, and sums the differences of those exchanged.
     * A mean difference after the exchange is (sum of all - 2 x the sum given) / n.
     *
     * @param differences first score minus second, one for each query
     * @param groups the queries of each group; a query that is in several is exchanged in all or in none
     * @param draws how many, at least 1
     * @param seed the same seed gives the same draws, whatever the number of threads
     * @return sums at {@code [group][draw]}
     */
    public static double[][] exchanged(double[] differences, int[][] groups, int draws, long seed, int threads) {
        double[][] sums = new double[groups.length][draws];
        SeededStreams.run(draws, seed, threads, () -> new SeededStreams.Drawer() {
            private final long[] bits = new long[Math.ceilDiv(differences.length, Long.SIZE)];

            @Override
            public void draw(int number, SplittableRandom random) {
                for (int i = 0; i < bits.length; i++) {
                    bits[i] = random.nextLong();
                }
                for (int group = 0; group < groups.length; group++) {
                    sums[group][number] = sum(differences, groups[group], bits);
                }
            }
        });
        return sums;
    }

    private static double sum(double[] differences, int[] members, long[] bits) {
        double sum = 0;
        for (int member : members) {
            // 0 or 1 times: a branch on a random bit would be mispredicted half the time.
            sum += differences[member] * ((bits[member >> 6] >>> member) & 1);
        }
        return sum;
    }

    /**
     * The two-sided p-value of a mean difference: the share of exchanges that make one as far from 0, itself counted.
     *
     * @param differences as above
     * @param exchanged the sums over all of them
     */
    public static double pValue(double[] differences, double[] exchanged) {
        double total = 0;
        for (double difference : differences) {
            total += difference;
        }
        double[] distances = new double[exchanged.length];
        for (int draw = 0; draw < distances.length; draw++) {
            distances[draw] = Math.abs(total - 2 * exchanged[draw]);
        }
        return Permutation.pValue(Math.abs(total), distances);
    }
}
