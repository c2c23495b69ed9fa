package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;

/**
 * A number for one query's ranking, between 0 and 1, higher is better. An immutable value that prints as
 * {@link Measures#parse} reads it; names are ir_measures'. An empty ranking scores 0.
 */
public interface Measure {
    /** Stands for a measure that looks at the whole ranking. */
    int NO_CUTOFF = Integer.MAX_VALUE;

    /**
     * The score of a ranking.
     *
     * @param ranking what was found, best first; may be empty
     * @param judgments what is relevant
     */
    double score(Ranking ranking, Judgments judgments);

    /** How many hits are looked at; {@link #NO_CUTOFF} for all. */
    int cutoff();

    /** The measure's name, which {@link Measures#parse} reads back as an equal value. */
    @Override
    String toString();

    /** {@code stem@k}, or the stem alone without a cutoff. */
    static String name(String stem, int cutoff) {
        return cutoff == NO_CUTOFF ? stem : stem + "@" + cutoff;
    }
}
