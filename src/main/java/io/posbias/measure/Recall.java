package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/** Share of the relevant passages among the first k hits; 0 if none is relevant. */
final class Recall implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        int relevant = judgments.relevant();
        return relevant == 0
                ? 0
                : (double) Measure.relevantRanks(ranking, judgments, cutoff).count() / relevant;
    }
}
