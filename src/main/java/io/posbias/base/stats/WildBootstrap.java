package io.posbias.base.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.GammaDistribution;
import org.apache.commons.math3.random.AbstractRandomGenerator;

/**
 * Wild cluster bootstrap (Cameron, Gelbach and Miller 2008): each cluster's contribution to the errors gets a random sign,
 * which preserves the dependence within the cluster. Restricted to the null hypothesis if the contributions come from estimates
 * that obey it.
 */
public final class WildBootstrap {
    /** Two signs have few combinations for few clusters; Webb's six weights (2023) have more. */
    private static final double[] WEBB = {-Math.sqrt(1.5), -1, -Math.sqrt(0.5), Math.sqrt(0.5), 1, Math.sqrt(1.5)};

    private WildBootstrap() {}

    /**
     * Draws errors of estimates with Rademacher weights, or Webb's for fewer than {@value Clusters#FEW} clusters.
     *
     * @param parts contributions, {@code [cluster][estimate]}
     * @param draws at least 1
     * @param seed determines the draws for any number of threads
     * @return errors, {@code [estimate][draw]}
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

    /**
     * Divides the errors of each draw by the root of a variance, chi-square with the standard errors' degrees of freedom: their
     * quantiles become those of estimates over standard errors, which few clusters leave uncertain.
     *
     * @param errors {@code [estimate][draw]}
     * @param freedom of the standard errors, above 0
     */
    public static double[][] studentised(double[][] errors, double freedom, long seed) {
        SplittableRandom random = new SplittableRandom(~seed);
        GammaDistribution variances = new GammaDistribution(
                new AbstractRandomGenerator() {
                    @Override
                    public void setSeed(long other) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public double nextDouble() {
                        return random.nextDouble();
                    }
                },
                freedom / 2,
                2 / freedom);
        double[] roots = IntStream.range(0, errors[0].length)
                .mapToDouble(draw -> Math.sqrt(variances.sample()))
                .toArray();
        return Arrays.stream(errors)
                .map(own -> IntStream.range(0, own.length)
                        .mapToDouble(draw -> own[draw] / roots[draw])
                        .toArray())
                .toArray(double[][]::new);
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
