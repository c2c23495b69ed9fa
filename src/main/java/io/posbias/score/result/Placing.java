package io.posbias.score.result;

/**
 * How a run's evidence was placed for the scores of content-fixed.csv: equal placings of equal runs, equal scores.
 *
 * @param how queries, places and method, as {@code contentFixed} in settings
 * @param method of placing the evidence
 * @param measure of the scores
 * @param seed of the sample of queries
 */
public record Placing(String how, String method, String measure, long seed) {
    @Override
    public String toString() {
        return how + ", " + measure + ", seed " + seed;
    }
}
