package io.posbias.score.result;

/**
 * Placing of a run's evidence for the scores of content-fixed.csv. Equal placings of equal runs have equal scores.
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
