package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.PairScorer;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.onnx.ModelFiles;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A system that finds passages, before it has seen any. */
public interface Retriever {
    /**
     * Prepares to search a benchmark's corpus: indexes or encodes it.
     *
     * @param dataset the benchmark; its passages are streamed as often as needed
     * @param engine how many threads may work, on which device, and where to tell how far it is; results must not depend
     *     on the threads
     */
    Searcher open(Dataset dataset, Engine engine);

    /**
     * Scores given candidates, apart from how well they would be found: for probes, which ask for the score of a query
     * and a text.
     *
     * @param dataset holds the texts as its passages; statistics of a corpus, such as BM25's, are taken from all of them
     * @param pool the candidates of each query, which must be queries of the benchmark; scores are not looked at
     * @return the scores; a candidate that the retriever does not find at any depth scores 0
     */
    default RetrievedRun score(Dataset dataset, Run pool, Engine engine) {
        try (Searcher searcher = open(dataset, engine)) {
            Run run = Pool.restrict(dataset, pool, searcher, Pool.MOST_HITS);
            return new RetrievedRun(run, searcher.report());
        }
    }

    /**
     * Scores given candidates as if they were in a corpus whose statistics stay as they are: what a changed passage would
     * score among the others. Models that look at a query and a text alone have no such statistics.
     *
     * @param corpus of these statistics
     * @param texts holds the candidates as its passages
     */
    default RetrievedRun scoreIn(Dataset corpus, Dataset texts, Run pool, Engine engine) {
        try (PoolScorer scorer = scorer(corpus, engine)) {
            return scorer.score(texts, pool);
        }
    }

    /**
     * Loads what {@link #scoreIn} needs once for many sets of texts.
     *
     * @param corpus of the statistics, if the retriever has such
     */
    default PoolScorer scorer(Dataset corpus, Engine engine) {
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                return Retriever.this.score(texts, pool, engine);
            }

            @Override
            public void close() {
                // Nothing was loaded.
            }
        };
    }

    /** Whether its scores are logits of relevance, which a sigmoid brings between 0 and 1. */
    default boolean givesLogits() {
        return false;
    }

    /**
     * What opens the model that gives every text one vector by itself, for diagnoses that compare texts without a query;
     * vectors are kept and found where those of {@link #open} are.
     *
     * @return empty for kinds that have no such vector: they count words, have a vector for every token, or read a text
     *     together with a query
     */
    default Optional<Function<Engine, VectorSource>> vectors() {
        return Optional.empty();
    }

    /** What opens its encoder in this process, with a vector or several for each text; empty for kinds without one. */
    default Optional<Function<Engine, TextEncoder>> encoder() {
        return Optional.empty();
    }

    /** What opens what tells how much of texts its encoder reads; empty for kinds without one, and for services. */
    default Optional<Function<Engine, TextReader>> reader() {
        return Optional.empty();
    }

    /**
     * What tells how much its models would read of a benchmark, its own first, as a search would; empty where that model tells
     * nothing: a service, or one that counts words.
     */
    default Optional<SearchReport.Preview> preview() {
        return Optional.empty();
    }

    /** What opens what reads a query and a passage together in this process; empty for kinds that do not. */
    default Optional<Function<Engine, PairScorer>> pairScorer() {
        return Optional.empty();
    }

    /**
     * What calls of services it would take to answer the judged queries of a benchmark, its first stage's included;
     * makes none. Models that run here take none and are not loaded.
     */
    default CallEstimate estimate(Dataset dataset, Engine engine) {
        return CallEstimate.NONE;
    }

    /** What calls {@link #score} would take. */
    default CallEstimate estimate(Dataset dataset, Run pool, Engine engine) {
        return estimate(dataset, engine);
    }

    /** The model files that must be there first, a first stage's included; none for retrievers without a model. */
    default List<ModelFiles> files() {
        return List.of();
    }

    /**
     * Loads the model and looks whether it does what the recipe says, for {@code posbias models check}. Its first stage,
     * if it has one, is not looked at.
     *
     * @return what was found; empty for kinds that have no such check
     */
    default Optional<ModelCheck> check(Engine engine) {
        return Optional.empty();
    }

    /** What its work grows with, for plans; loads nothing. */
    default Reading reading() {
        return new Reading(files().isEmpty() ? Reading.Unit.WORDS : Reading.Unit.TEXTS, 0, null);
    }

    /**
     * The bytes of the vectors of texts on disk; 0 for retrievers that keep none, or whose recipe does not say how big they are.
     *
     * @param tokens of all of them
     */
    default double vectorBytes(double texts, double tokens) {
        return 0;
    }

    /** Whether its score is a sum over the passage's tokens; loads nothing. */
    default Attribution attribution() {
        return new Attribution.None("gives one number for query and passage");
    }
}
