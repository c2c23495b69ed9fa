package io.posbias.measure;

import io.posbias.dataset.Judgments;
import io.posbias.retrieve.Ranking;
import java.util.stream.IntStream;

/**
 * A number for one query's ranking, between 0 and 1, higher is better. Prints as {@link Measures#parse} reads it; names are
 * ir_measures'. An empty ranking scores 0.
 *
 * @param kind the measure without its cutoff
 * @param cutoff how many hits are looked at; {@link #NO_CUTOFF} for all
 */
public record Measure(Measures.Kind kind, int cutoff) {
    /** Stands for a measure that looks at the whole ranking. */
    public static final int NO_CUTOFF = Integer.MAX_VALUE;

    /** How a measure is computed. */
    @FunctionalInterface
    public interface Formula {
        /**
         * The score of a ranking.
         *
         * @param ranking what was found, best first; may be empty
         * @param judgments what is relevant
         * @param cutoff how many hits are looked at
         */
        double score(Ranking ranking, Judgments judgments, int cutoff);
    }

    /** As {@link Formula#score} with this cutoff. */
    public double score(Ranking ranking, Judgments judgments) {
        return kind.formula().score(ranking, judgments, cutoff);
    }

    /** The ranks, counted from 0, of the relevant passages among the first hits. */
    static IntStream relevantRanks(Ranking ranking, Judgments judgments, int cutoff) {
        return IntStream.range(0, Math.min(cutoff, ranking.size()))
                .filter(rank -> judgments.grade(ranking.passage(rank)) > 0);
    }

    /** The measure's name, {@code stem@k}, or the stem alone without a cutoff. */
    @Override
    public String toString() {
        return cutoff == NO_CUTOFF ? kind.stem() : kind.stem() + "@" + cutoff;
    }
}
