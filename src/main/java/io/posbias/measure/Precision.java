package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * The number of relevant passages among the first k hits over k, also where fewer than k were found.
 */
final class Precision implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        return (double) Measure.relevantRanks(ranking, judgments, cutoff).count() / cutoff;
    }
}
