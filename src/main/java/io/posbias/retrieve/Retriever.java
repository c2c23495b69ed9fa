package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A ranking system that a recipe describes. Nothing is loaded before it is opened. */
public interface Retriever {
    /**
     * Prepares to search a benchmark's corpus: indexes or encodes it.
     *
     * @param corpus the benchmark; its passages are streamed as often as needed
     * @param engine how many threads may work, on which device, and where to tell how far it is; results must not depend
     *     on the threads
     */
    Searcher open(Dataset corpus, Engine engine);

    /**
     * Loads what scores given candidates, for probes, strategies and second stages.
     *
     * @param corpus statistics such as BM25's are those of its passages
     */
    default PoolScorer scorer(Dataset corpus, Engine engine) {
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                try (Searcher searcher = open(texts, engine)) {
                    return Pool.restricted(texts, pool, searcher);
                }
            }

            @Override
            public void close() {
                // Nothing was loaded.
            }
        };
    }

    /** What reads texts for it; empty for those that count words, and for those of several models. */
    default Optional<Model> model() {
        return Optional.empty();
    }

    /** What finds its candidates; empty for those that search the corpus themselves. */
    default Optional<FirstStage> firstStage() {
        return Optional.empty();
    }

    /**
     * What calls of services it would take to answer the judged queries of a benchmark, its first stage's included; makes none.
     * Models that run here take none and are not loaded.
     *
     * @param pool the candidates to score, whose own scores are not looked at; null to search
     */
    default CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        return CallEstimate.NONE;
    }

    /**
     * What tells how much its models would read of a benchmark, its own first, as a search would; empty where that model tells
     * nothing: a service, or one that counts words.
     */
    default Optional<SearchReport.Preview> preview() {
        return Optional.empty();
    }
}
