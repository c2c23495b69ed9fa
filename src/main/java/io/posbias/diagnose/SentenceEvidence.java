package io.posbias.diagnose;

import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Span;
import java.util.List;

/**
 * The sentence of a passage that scores highest with a query, taken for the evidence where nobody has marked it.
 *
 * @param sentences the passage's
 * @param best the number of the sentence with the highest score, from 0; of equal ones the first
 * @param tied how many sentences have that score, 1 or more
 */
public record SentenceEvidence(Sentences sentences, int best, int tied) {
    /**
     * Looks for the best.
     *
     * @param scores of the sentences with the query, at least one
     */
    public static SentenceEvidence of(Sentences sentences, double[] scores) {
        int best = 0;
        int tied = 0;
        for (int i = 0; i < scores.length; i++) {
            int order = Double.compare(scores[i], scores[best]);
            if (order > 0) {
                best = i;
            }
            tied = order > 0 ? 1 : order == 0 ? tied + 1 : tied;
        }
        return new SentenceEvidence(sentences, best, tied);
    }

    /** Whether the scores tell sentences apart; a single sentence needs no telling. */
    public boolean isTold() {
        return sentences.size() == 1 || tied < sentences.size();
    }

    /** Where the best sentence lies. */
    public Evidence evidence() {
        String text = sentences.text();
        Span span = sentences.span(best);
        return new Evidence(
                text.codePointCount(0, span.start()),
                text.codePointCount(0, span.end()),
                CodePoints.count(text),
                Evidence.UNKNOWN,
                List.of(),
                span);
    }

    /** Whether the best sentence is one of some in a row. */
    public boolean isIn(Sentences.Range range) {
        return range.from() <= best && best < range.to();
    }
}
