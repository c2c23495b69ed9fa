package io.posbias.model.retrieve;

import io.posbias.base.process.Progress;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import java.util.Map;

/** Index of encoded passages, which are compared with encoded queries. Results do not depend on the number of threads. */
interface VectorIndex extends AutoCloseable {
    /** Kind of index, for vectors of one kind. */
    interface Kind {
        /**
         * Indexes passages.
         *
         * @param label of the progress line of a slow index
         * @param searches false for {@link #score} only
         */
        VectorIndex open(EncodedPassages passages, Engine engine, String label, boolean searches);

        /** Returns true to encode a pool's candidates only, not the whole corpus, before they are scored. */
        default boolean encodesCandidates() {
            return false;
        }

        /** Returns statistics of the size of passages' vectors; empty for one vector per passage. */
        default Map<String, Double> size(Vectors passages) {
            return Map.of();
        }
    }

    EncodedPassages passages();

    /**
     * Finds the best passages, for each query.
     *
     * @param k at least 1
     * @param step advanced by each query, {@link #pieces} times
     * @return rankings of indices among the passages' vectors
     */
    Ranking[] search(Vectors queries, int k, Progress.Step step);

    /**
     * Scores candidates.
     *
     * @param pool candidates of each query; those without vectors are left out
     * @return rankings of ordinals
     */
    Ranking[] score(Vectors queries, Run pool);

    /** Returns how often a search advances its step by each query. */
    default long pieces() {
        return 1;
    }

    /** Returns statistics of how much {@link #search} found; empty for exact search. */
    default Map<String, Double> recall(Vectors queries, int k, Ranking[] found) {
        return Map.of();
    }

    @Override
    void close();
}
