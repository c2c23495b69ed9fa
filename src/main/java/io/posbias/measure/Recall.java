package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * The share of the relevant passages that are among the first k hits; 0 when none is relevant.
 *
 * @param cutoff how many hits are looked at
 */
public record Recall(int cutoff) implements Measure {
    static final String STEM = "R";

    @Override
    public double score(Ranking ranking, Judgments judgments) {
        int relevant = judgments.relevant();
        return relevant == 0 ? 0 : (double) Precision.found(ranking, judgments, cutoff) / relevant;
    }

    @Override
    public String toString() {
        return Measure.name(STEM, cutoff);
    }
}
