package io.posbias.stats;

import java.util.SplittableRandom;

/**
 * Paired randomisation test (Fisher 1935; Smucker, Allan and Carterette 2007): under the null hypothesis both systems are
 * equal, so that the two scores of a query may be swapped.
 */
public final class Randomisation {
    private Randomisation() {}

    /**
     * Swaps the two scores of each query with probability one half and sums the swapped differences. The resulting mean
     * difference is (sum of all - 2 x the returned sum) / n.
     *
     * @param differences one per query
     * @param groups queries of each group; may overlap
     * @param draws at least 1
     * @param seed determines the draws for any number of threads
     * @return sums, {@code [group][draw]}
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
     * Two-sided p-value of a mean difference.
     *
     * @param exchanged sums over all queries
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
