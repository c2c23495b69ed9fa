package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * One over the rank of the first relevant hit; 0 when there is none among the first k.
 *
 * @param cutoff how many hits are looked at
 */
public record ReciprocalRank(int cutoff) implements Measure {
    static final String STEM = "RR";

    @Override
    public double score(Ranking ranking, Judgments judgments) {
        for (int rank = 0; rank < Math.min(cutoff, ranking.size()); rank++) {
            if (judgments.grade(ranking.passage(rank)) > 0) {
                return 1.0 / (rank + 1);
            }
        }
        return 0;
    }

    @Override
    public String toString() {
        return Measure.name(STEM, cutoff);
    }
}
