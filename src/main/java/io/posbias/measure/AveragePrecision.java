package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * The precision at the rank of each relevant hit among the first k, summed and divided by the number of all relevant
 * passages: trec_eval's map and map_cut.
 */
final class AveragePrecision implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        if (judgments.relevant() == 0) {
            return 0;
        }
        double sum = 0;
        int found = 0;
        for (int rank : Measure.relevantRanks(ranking, judgments, cutoff).toArray()) {
            sum += (double) ++found / (rank + 1);
        }
        return sum / judgments.relevant();
    }
}
