package io.posbias.api;

/**
 * A model's loss at the back over several benchmarks, 1 - back / front, with benchmarks weighted equally: see
 * docs/statistics.md.
 *
 * @param benchmarks behind it
 * @param value at most 1; negative if the back scores higher
 * @param low end of the interval
 * @param high end of the interval
 * @param tau standard deviation of the true log front - log back between benchmarks
 * @param share of the variance of losses that is between benchmarks, I^2
 */
public record LossOverBenchmarks(
        String model, int benchmarks, double value, double low, double high, double tau, double share) {}
