package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * Sum of the precisions at the ranks of relevant hits among the first k, divided by the number of relevant passages:
 * trec_eval's map and map_cut.
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
