package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * The number of relevant passages among the first k hits over k, also where fewer than k were found.
 *
 * @param cutoff how many hits are looked at
 */
public record Precision(int cutoff) implements Measure {
    static final String STEM = "P";

    @Override
    public double score(Ranking ranking, Judgments judgments) {
        return (double) found(ranking, judgments, cutoff) / cutoff;
    }

    /** How many of the first hits are relevant. */
    static int found(Ranking ranking, Judgments judgments, int cutoff) {
        int found = 0;
        for (int rank = 0; rank < Math.min(cutoff, ranking.size()); rank++) {
            if (judgments.grade(ranking.passage(rank)) > 0) {
                found++;
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return Measure.name(STEM, cutoff);
    }
}
