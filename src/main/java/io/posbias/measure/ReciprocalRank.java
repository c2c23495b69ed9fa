package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/** One over the rank of the first relevant hit; 0 if there is none among the first k. */
final class ReciprocalRank implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        return Measure.relevantRanks(ranking, judgments, cutoff)
                .mapToDouble(rank -> 1.0 / (rank + 1))
                .findFirst()
                .orElse(0);
    }
}
