package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import java.util.List;
import java.util.function.BiFunction;

/** Loaded retriever that scores given candidates. For one thread. */
public interface PoolScorer extends AutoCloseable {
    /**
     * Creates a scorer.
     *
     * @param score as {@link #score}
     * @param opened closed with the scorer, in this order
     */
    static PoolScorer of(BiFunction<Dataset, Run, RetrievedRun> score, Closing.Close... opened) {
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                return score.apply(texts, pool);
            }

            @Override
            public void close() {
                List.of(opened).forEach(Closing.Close::close);
            }
        };
    }

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
