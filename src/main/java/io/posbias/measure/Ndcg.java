package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) as in trec_eval: gain = grade, discount = 1 / log2(rank
 * + 1); the ideal ranking has all relevant passages, retrieved or not.
 */
final class Ndcg implements Measure.Formula {
    @Override
    public double score(Ranking ranking, Judgments judgments, int cutoff) {
        double ideal = ideal(judgments, cutoff);
        if (ideal == 0) {
            return 0;
        }
        double gain = 0;
        for (int rank : Measure.relevantRanks(ranking, judgments, cutoff).toArray()) {
            gain += judgments.grade(ranking.passage(rank)) * discount(rank);
        }
        return gain / ideal;
    }

    /** The discounted gain of the best possible ranking. */
    static double ideal(Judgments judgments, int cutoff) {
        int[] grades = judgments.idealGrades();
        double gain = 0;
        for (int rank = 0; rank < Math.min(cutoff, grades.length); rank++) {
            gain += grades[rank] * discount(rank);
        }
        return gain;
    }

    static double discount(int rank) {
        return Math.log(2) / Math.log(rank + 2.0);
    }
}
