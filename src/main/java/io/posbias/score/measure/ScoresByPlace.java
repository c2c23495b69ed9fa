package io.posbias.score.measure;

import io.posbias.data.dataset.Judgments;
import io.posbias.model.retrieve.Ranking;

/**
 * Scores of a query with its evidence at each place of its passage.
 *
 * @param article title of the passage; empty if unknown
 * @param observed score on the original passage
 * @param found true if the passage is among the first {@value PositionLoss#TOP} hits; empty if unknown
 * @param natural true for the original text
 * @param broken number of adjacent sentences that were not adjacent in the passage
 * @param unread true if the evidence begins past the cut; empty if unknown
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record ScoresByPlace(
        String query,
        String passage,
        String article,
        double observed,
        double[] scores,
        boolean[] found,
        boolean[] natural,
        int[] broken,
        boolean[] unread) {
    /** Returns true if a relevant passage is among the first {@value PositionLoss#TOP} hits. */
    public static boolean isFound(Ranking ranking, Judgments judgments) {
        return Measure.relevantRanks(ranking, judgments, PositionLoss.TOP)
                .findFirst()
                .isPresent();
    }

    /** Prefixes the names, to make those of several benchmarks distinct. */
    public ScoresByPlace prefixed(String prefix) {
        return new ScoresByPlace(
                prefix + query,
                prefix + passage,
                article.isEmpty() ? "" : prefix + article,
                observed,
                scores,
                found,
                natural,
                broken,
                unread);
    }
}
