package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * What a query scores with its evidence at each place of its passage, first to last.
 *
 * @param query its identifier
 * @param passage its relevant passage
 * @param article that passage's title; empty where it is not known
 * @param observed its score on the passage as it is
 * @param scores at each place
 * @param found whether its passage is among the first {@value PositionLoss#TOP} hits at each place; no element where that is
 *     not known
 * @param natural whether the text of the place is the passage as it is
 * @param broken how many pairs of neighbours in that text were no neighbours in the passage
 * @param unread whether the evidence begins past what the model reads; no element where the model does not tell
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
    /** Whether a relevant passage is among the first {@value PositionLoss#TOP} hits. */
    public static boolean isFound(Ranking ranking, Judgments judgments) {
        return Measure.relevantRanks(ranking, judgments, PositionLoss.TOP)
                .findFirst()
                .isPresent();
    }

    /** The same under other names: those of several benchmarks must differ. */
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
