package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) as trec_eval computes it: the gain is the grade,
 * the discount 1 / log2(rank + 1), and the ideal ranking is made of all relevant passages, also those never found.
 *
 * @param cutoff how many hits are looked at
 */
public record Ndcg(int cutoff) implements Measure {
    static final String STEM = "nDCG";

    @Override
    public double score(Ranking ranking, Judgments judgments) {
        double ideal = ideal(judgments, cutoff);
        if (ideal == 0) {
            return 0;
        }
        double gain = 0;
        for (int rank = 0; rank < Math.min(cutoff, ranking.size()); rank++) {
            int grade = judgments.grade(ranking.passage(rank));
            if (grade > 0) {
                gain += grade * discount(rank);
            }
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

    /** The weight of a rank counted from 0. */
    static double discount(int rank) {
        return Math.log(2) / Math.log(rank + 2.0);
    }

    @Override
    public String toString() {
        return Measure.name(STEM, cutoff);
    }
}
