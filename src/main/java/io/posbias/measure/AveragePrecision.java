package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * The precision at the rank of each relevant hit among the first k, summed and divided by the number of all relevant
 * passages: trec_eval's map and map_cut.
 *
 * @param cutoff how many hits are looked at
 */
public record AveragePrecision(int cutoff) implements Measure {
    static final String STEM = "AP";

    @Override
    public double score(Ranking ranking, Judgments judgments) {
        if (judgments.relevant() == 0) {
            return 0;
        }
        double sum = 0;
        int found = 0;
        for (int rank = 0; rank < Math.min(cutoff, ranking.size()); rank++) {
            if (judgments.grade(ranking.passage(rank)) > 0) {
                found++;
                sum += (double) found / (rank + 1);
            }
        }
        return sum / judgments.relevant();
    }

    @Override
    public String toString() {
        return Measure.name(STEM, cutoff);
    }
}
