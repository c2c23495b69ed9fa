package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/** Number of relevant passages among the first k hits, divided by k even if fewer were retrieved. */
final class Precision implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        return (double) Measure.relevantRanks(ranking, judgments, cutoff).count() / cutoff;
    }
}
