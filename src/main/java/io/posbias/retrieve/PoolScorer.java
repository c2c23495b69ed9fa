package io.posbias.retrieve;

import io.posbias.dataset.Dataset;

/** A retriever that is loaded and scores given candidates again and again. For one thread. */
public interface PoolScorer extends AutoCloseable {
    /**
     * Scores candidates.
     *
     * @param texts holds the candidates as its passages
     * @param pool the candidates of each query; scores are not looked at
     */
    RetrievedRun score(Dataset texts, Run pool);

    @Override
    void close();
}
