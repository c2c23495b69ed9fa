package io.posbias.retrieve.strategy;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.retrieve.PoolScorer;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Retriever;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.Searcher;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds several times as many passages as are wanted by rough scores, and orders them by finer ones. */
final class RescoredRetriever extends VectorRetriever {
    private final Retriever fine;
    private final int times;

    /**
     * @param rough finds
     * @param fine orders
     * @param times how many candidates for each passage that is wanted
     * @param bytes of a vector
     */
    RescoredRetriever(Retriever rough, Retriever fine, int times, double bytes) {
        super(rough, bytes);
        this.fine = fine;
        this.times = times;
    }

    @Override
    public RetrievedRun score(Dataset dataset, Run pool, Engine engine) {
        return fine.score(dataset, pool, engine);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        return fine.scorer(corpus, engine);
    }

    @Override
    public Optional<Function<Engine, CachedEncoder>> vectors() {
        return fine.vectors();
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        Searcher rough = inner().open(dataset, engine);
        return new Searcher() {
            @Override
            public Run search(List<Query> queries, int k) {
                int depth = (int) Math.min((long) times * k, dataset.passages().size());
                Run candidates = rough.search(queries, depth);
                return fine.score(dataset, candidates, engine).run().top(k);
            }

            @Override
            public SearchReport report() {
                return rough.report();
            }

            @Override
            public void close() {
                rough.close();
            }
        };
    }
}
