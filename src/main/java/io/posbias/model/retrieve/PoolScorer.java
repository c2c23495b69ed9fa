package io.posbias.model.retrieve;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
     * Creates a scorer that opens one for each set of texts. That of the corpus, which a second stage scores repeatedly, is
     * opened once.
     *
     * @param opened closed with the scorer, in this order
     */
    static PoolScorer perTexts(Dataset corpus, Function<Dataset, PoolScorer> open, Closing.Close... opened) {
        return new PoolScorer() {
            private @Nullable PoolScorer ofCorpus;

            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                if (!texts.isSame(corpus)) {
                    try (PoolScorer once = open.apply(texts)) {
                        return once.score(texts, pool);
                    }
                }
                PoolScorer known = ofCorpus == null ? open.apply(corpus) : ofCorpus;
                ofCorpus = known;
                return known.score(texts, pool);
            }

            @Override
            public void close() {
                if (ofCorpus != null) {
                    ofCorpus.close();
                }
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

    /** Returns a searcher that scores every passage, and is closed with this. */
    default Searcher searcher(Dataset corpus) {
        return Searcher.of((queries, k) -> Pool.every(corpus, queries, k, this, Run.MOST_HITS), this::close);
    }

    @Override
    void close();
}
