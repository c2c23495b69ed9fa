package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * nDCG in which passages of equal score share the average of the discounts of the ranks they hold together (McSherry and
 * Najork 2008), cut off at k: scikit-learn's {@code ndcg_score}, which the SQuAD-PosQ paper used. The ideal ranking is
 * made of all relevant passages, while scikit-learn knows only those it is given; with one relevant passage for a query
 * both are the same.
 *
 * <p>Ties that reach beyond the end of the ranking are averaged over what the ranking holds.
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
