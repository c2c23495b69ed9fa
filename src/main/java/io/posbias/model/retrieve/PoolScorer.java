package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;

/** Loaded retriever that scores given candidates. For one thread. */
public interface PoolScorer extends AutoCloseable {
    /**
     * Scores candidates.
     *
     * @param texts whose passages are the candidates
     * @param pool candidates of each query; their scores are ignored
     */
    RetrievedRun score(Dataset texts, Run pool);

    @Override
    void close();
}
