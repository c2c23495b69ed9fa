package io.posbias.base.stats;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The mean of true effects that vary over studies, each estimated with a standard error: the normal random-effects model, with
 * t intervals and tests of one degree of freedom fewer than studies.
 *
 * @param standardError of the mean
 * @param tau standard deviation of true effects; its square by Paule and Mandel (1982)
 * @param share of the variance of observed effects that is between studies: I^2 of Higgins and Thompson (2002)
 * @param prediction interval of the true effect in another study, t with k - 2 (Higgins, Thompson and Spiegelhalter 2009);
 *     null for fewer than three studies
 */
public record RandomEffects(
        int studies,
        Estimate mean,
        double standardError,
        double tau,
        double share,
        @Nullable Interval prediction) {
    /** Minimum number of studies. */
    public static final int LEAST = 2;

    /** Weights of studies in the mean. */
    public enum Weights {
        /** Each study counts the same; the t test of the effects (Ibragimov and Müller 2010). */
        EQUAL,
        /** 1 / (tau^2 + standard error^2), with the interval of Hartung and Knapp (2001) and Sidik and Jonkman (2002). */
        PRECISION;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int STEPS = 1000;

    /** Newton's steps below this relative change end. */
    private static final double CLOSE = 1e-15;

    /**
     * Estimates the mean.
     *
     * @param errors standard errors, above 0; with equal weights only tau and what follows from it depend on them
     * @throws IllegalArgumentException for fewer than two studies, or a standard error that is not above 0
     */
    public static RandomEffects of(double[] effects, double[] errors, Weights weights, double confidence) {
        if (effects.length < LEAST || Arrays.stream(errors).anyMatch(error -> !(error > 0))) {
            throw new IllegalArgumentException("at least two studies with standard errors above 0 are needed");
        }
        double[] variances = Arrays.stream(errors).map(error -> error * error).toArray();
        double between = between(effects, variances);
        double[] ones = new double[effects.length];
        Arrays.fill(ones, 1);
        Weighted weighted =
                weights == Weights.EQUAL ? Weighted.of(effects, ones, 0) : Weighted.of(effects, variances, between);
        int freedom = effects.length - 1;
        double error = Math.sqrt(weighted.squares / freedom / weighted.sum);
        return new RandomEffects(
                effects.length,
                Estimate.ofT(weighted.mean, error, freedom, confidence),
                error,
                Math.sqrt(between),
                between / (between + typical(variances)),
                freedom < 2
                        ? null
                        : prediction(weighted.mean, Math.hypot(Math.sqrt(between), error), freedom - 1, confidence));
    }

    /** Weighted mean of effects, the sum of weights, and the weighted sum of squared deviations. */
    private record Weighted(double mean, double sum, double squares, double slope) {
        static Weighted of(double[] effects, double[] variances, double between) {
            double sum = 0;
            double total = 0;
            for (int i = 0; i < effects.length; i++) {
                double weight = 1 / (between + variances[i]);
                sum += weight;
                total += weight * effects[i];
            }
            double mean = total / sum;
            double squares = 0;
            double slope = 0;
            for (int i = 0; i < effects.length; i++) {
                double weight = 1 / (between + variances[i]);
                double square = weight * (effects[i] - mean) * (effects[i] - mean);
                squares += square;
                slope += weight * square;
            }
            return new Weighted(mean, sum, squares, slope);
        }
    }

    /**
     * Paule and Mandel's variance between studies, at which the weighted squares equal the degrees of freedom. They fall with
     * the variance and are convex, so that Newton's steps from 0 never pass the root (DerSimonian and Kacker 2007).
     */
    private static double between(double[] effects, double[] variances) {
        double between = 0;
        for (int step = 0; step < STEPS; step++) {
            Weighted weighted = Weighted.of(effects, variances, between);
            double change = (weighted.squares - (effects.length - 1)) / weighted.slope;
            if (!(change > CLOSE * between)) {
                return between;
            }
            between += change;
        }
        return between;
    }

    /** The typical variance within studies. */
    private static double typical(double[] variances) {
        double sum = IntStream.range(0, variances.length)
                .mapToDouble(i -> 1 / variances[i])
                .sum();
        double squares = Arrays.stream(variances)
                .map(variance -> 1 / (variance * variance))
                .sum();
        return (variances.length - 1) * sum / (sum * sum - squares);
    }

    private static Interval prediction(double mean, double deviation, int freedom, double confidence) {
        double half = deviation * new TDistribution(null, freedom).inverseCumulativeProbability((1 + confidence) / 2);
        return new Interval(mean - half, mean + half);
    }
}
