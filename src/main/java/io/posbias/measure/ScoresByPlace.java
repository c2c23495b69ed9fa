package io.posbias.measure;

/**
 * What a query scores with its evidence at each place of its passage, first to last.
 *
 * @param query its identifier
 * @param passage its relevant passage
 * @param article that passage's title; empty where it is not known
 * @param observed its score on the passage as it is
 * @param scores at each place
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
        boolean[] natural,
        int[] broken,
        boolean[] unread) {
    /** The same under other names: those of several benchmarks must differ. */
    public ScoresByPlace prefixed(String prefix) {
        return new ScoresByPlace(
                prefix + query,
                prefix + passage,
                article.isEmpty() ? "" : prefix + article,
                observed,
                scores,
                natural,
                broken,
                unread);
    }
}
