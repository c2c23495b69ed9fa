package io.posbias.stats;

import java.util.SplittableRandom;

/**
 * The wild cluster bootstrap (Cameron, Gelbach and Miller 2008): what each cluster adds to the errors of some estimates gets a
 * random sign, so that whatever dependence there is within a cluster stays as it is. Restricted to the null hypothesis, the
 * errors are those from estimates that obey it.
 */
public final class WildBootstrap {
    /** Of few clusters there are few combinations of two signs: Webb's six weights (2023) give more. */
    private static final double[] WEBB = {-Math.sqrt(1.5), -1, -Math.sqrt(0.5), Math.sqrt(0.5), 1, Math.sqrt(1.5)};

    private WildBootstrap() {}

    /**
     * Errors of estimates. Weights are 1 and -1, each with probability one half (Rademacher), or Webb's six of fewer than
     * {@value Clusters#FEW} clusters.
     *
     * @param parts the error of each estimate that a cluster adds, {@code [cluster][estimate]}
     * @param draws how many, at least 1
     * @param seed the same seed gives the same draws, whatever the number of threads
     * @return the error of each estimate in each draw, {@code [estimate][draw]}
     */
    public static double[][] errors(double[][] parts, int draws, long seed, int threads) {
        double[][] errors = new double[parts[0].length][draws];
        SeededStreams.run(draws, seed, threads, () -> {
            double[] weights = new double[parts.length];
            return (number, random) -> {
                weigh(weights, random);
                for (int estimate = 0; estimate < errors.length; estimate++) {
                    double error = 0;
                    for (int cluster = 0; cluster < weights.length; cluster++) {
                        error += weights[cluster] * parts[cluster][estimate];
                    }
                    errors[estimate][number] = error;
                }
            };
        });
        return errors;
    }

    private static void weigh(double[] weights, SplittableRandom random) {
        if (weights.length < Clusters.FEW) {
            for (int i = 0; i < weights.length; i++) {
                weights[i] = WEBB[SeededStreams.below(WEBB.length, random)];
            }
            return;
        }
        for (int i = 0; i < weights.length; i += Long.SIZE) {
            long bits = random.nextLong();
            for (int j = i; j < Math.min(weights.length, i + Long.SIZE); j++) {
                weights[j] = 1 - 2 * (bits & 1);
                bits >>>= 1;
            }
        }
    }
}
