package io.posbias.score.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.data.dataset.Judgments;
import io.posbias.rank.Ranking;
import java.util.stream.IntStream;

/**
 * Measure of one query's ranking, between 0 and 1; higher is better. Prints as {@link Measures#parse} reads it; names are those
 * of ir_measures. An empty ranking scores 0.
 *
 * @param cutoff number of hits, or {@link #NO_CUTOFF}
 */
public record Measure(Measures.Kind kind, int cutoff) {
    /** Cutoff of measures over the whole ranking. */
    public static final int NO_CUTOFF = Integer.MAX_VALUE;

    @FunctionalInterface
    public interface Formula {
        /** Scores a ranking, best hit first. */
        double score(Ranking ranking, Judgments judgments, int cutoff);
    }

    /** Scores a ranking at this cutoff. */
    public double score(Ranking ranking, Judgments judgments) {
        return kind.formula().score(ranking, judgments, cutoff);
    }

    /** The ranks, from 0, of the relevant passages among the first hits. */
    static IntStream relevantRanks(Ranking ranking, Judgments judgments, int cutoff) {
        return IntStream.range(0, Math.min(cutoff, ranking.size()))
                .filter(rank -> judgments.grade(ranking.passage(rank)) > 0);
    }

    @JsonCreator
    static Measure parse(String name) {
        return Measures.parse(name);
    }

    /** {@code stem@k}, or the stem without a cutoff. */
    @JsonValue
    @Override
    public String toString() {
        return cutoff == NO_CUTOFF ? kind.stem() : kind.stem() + "@" + cutoff;
    }
}
