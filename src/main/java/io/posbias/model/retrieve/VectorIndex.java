package io.posbias.model.retrieve;

import io.posbias.base.process.Progress;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.util.Map;

/** Encoded passages that are compared with encoded queries. The number of threads has no effect on results. */
abstract class VectorIndex implements AutoCloseable {
    final EncodedPassages passages;
    final int threads;

    VectorIndex(EncodedPassages passages, int threads) {
        this.passages = passages;
        this.threads = threads;
    }

    /**
     * Finds each query's best passages.
     *
     * @param k at least 1
     * @param step advanced by each query, {@link #pieces} times
     * @return rankings of indices among the passages' vectors
     */
    abstract Ranking[] search(Vectors queries, int k, Progress.Step step);

    /**
     * Scores candidates.
     *
     * @param pool candidates of each query; those without vectors are left out
     * @return rankings of ordinals
     */
    abstract Ranking[] score(Vectors queries, Run pool);

    /** Returns how often each query advances the step of a search. */
    long pieces() {
        return 1;
    }

    /** Returns the size of the passages' vectors; empty for one vector per passage. */
    Map<String, Double> size() {
        return Map.of();
    }

    /** Returns which share of the best passages was found; empty for exact search. */
    Map<String, Double> recall(Vectors queries, int k, Ranking[] found) {
        return Map.of();
    }

    @Override
    public abstract void close();
}
