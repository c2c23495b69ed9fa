package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * nDCG in which passages of equal score share the average of their discounts (McSherry and Najork 2008), cut off at k:
 * scikit-learn's {@code ndcg_score}, as used in the SQuAD-PosQ paper. The ideal ranking has all relevant passages;
 * scikit-learn's has the given ones only. With one relevant passage per query both are equal. Ties that extend beyond the
 * ranking are averaged over its hits.
 */
final class TieAveragedNdcg implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        double ideal = Ndcg.ideal(judgments, cutoff);
        if (ideal == 0) {
            return 0;
        }
        double gain = 0;
        int next;
        for (int first = 0; first < Math.min(cutoff, ranking.size()); first = next) {
            double grades = 0;
            double discounts = 0;
            for (next = first; next < ranking.size() && ranking.score(next) == ranking.score(first); next++) {
                grades += Math.max(0, judgments.grade(ranking.passage(next)));
                discounts += next < cutoff ? Ndcg.discount(next) : 0;
            }
            gain += grades * discounts / (next - first);
        }
        return gain / ideal;
    }
}
