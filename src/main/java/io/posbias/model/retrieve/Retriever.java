package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.rank.Run;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ranking system described by a recipe. Loads nothing before it is opened. */
public interface Retriever {
    /**
     * Indexes or encodes a benchmark's corpus.
     *
     * @param corpus passages are streamed as often as needed
     * @param engine its threads have no effect on results
     */
    Searcher open(Dataset corpus, Engine engine);

    /**
     * Loads a scorer of given candidates, for probes, strategies and second stages.
     *
     * @param corpus whose statistics apply, for example to BM25
     */
    default PoolScorer scorer(Dataset corpus, Engine engine) {
        return PoolScorer.of((texts, pool) -> {
            try (Searcher searcher = open(texts, engine)) {
                return Pool.restricted(texts, pool, searcher);
            }
        });
    }

    /** Returns the model; empty for BM25 and fusion. */
    default Optional<Model> model() {
        return Optional.empty();
    }

    /** Returns the first stage; empty for a search of the whole corpus. */
    default Optional<FirstStage> firstStage() {
        return Optional.empty();
    }

    /**
     * Estimates service calls for the judged queries of a benchmark, first stage included. Local models are loaded only if the
     * engine's limit {@linkplain io.posbias.model.encode.CallLimit#includes includes} them.
     *
     * @param pool candidates to score, whose scores are ignored; null to search
     */
    default CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        return CallEstimate.NONE;
    }

    /** Returns the preview of truncation; empty for services and BM25. */
    default Optional<Preview> preview() {
        return Optional.empty();
    }
}
