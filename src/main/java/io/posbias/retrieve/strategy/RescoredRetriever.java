package io.posbias.retrieve.strategy;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.encode.cache.VectorSource;
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
final class RescoredRetriever extends WrappedRetriever {
    private final Function<Engine, VectorSource> opener;
    private final Function<Function<Engine, VectorSource>, Retriever> rough;
    private final Function<Function<Engine, VectorSource>, Retriever> fine;
    private final int times;

    /**
     * @param opener opens the vectors that both are made from
     * @param rough finds
     * @param fine orders
     * @param times how many candidates for each passage that is wanted
     */
    RescoredRetriever(
            Function<Engine, VectorSource> opener,
            Function<Function<Engine, VectorSource>, Retriever> rough,
            Function<Function<Engine, VectorSource>, Retriever> fine,
            int times) {
        super(rough.apply(opener));
        this.opener = opener;
        this.rough = rough;
        this.fine = fine;
        this.times = times;
    }

    private Retriever fine() {
        return fine.apply(opener);
    }

    @Override
    public RetrievedRun score(Dataset dataset, Run pool, Engine engine) {
        return fine().score(dataset, pool, engine);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        return fine().scorer(corpus, engine);
    }

    @Override
    public Optional<Function<Engine, VectorSource>> vectors() {
        return fine().vectors();
    }

    /** Both stages have one encoder, so that nothing is encoded twice, whether vectors are kept or not. */
    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        VectorSource encoder = opener.apply(engine);
        try {
            Function<Engine, VectorSource> shared = same -> DerivedVectors.lent(encoder);
            Retriever orders = fine.apply(shared);
            Searcher finds = rough.apply(shared).open(dataset, engine);
            return new Both(dataset, engine, encoder, finds, orders);
        } catch (RuntimeException | Error failure) {
            encoder.close();
            throw failure;
        }
    }

    /** Both stages. */
    private final class Both implements Searcher {
        private final Dataset dataset;
        private final Engine engine;
        private final VectorSource encoder;
        private final Searcher finds;
        private final Retriever orders;

        Both(Dataset dataset, Engine engine, VectorSource encoder, Searcher finds, Retriever orders) {
            this.dataset = dataset;
            this.engine = engine;
            this.encoder = encoder;
            this.finds = finds;
            this.orders = orders;
        }

        @Override
        public Run search(List<Query> queries, int k) {
            int depth = (int) Math.min((long) times * k, dataset.passages().size());
            Run candidates = finds.search(queries, depth);
            return orders.score(dataset, candidates, engine).run().top(k);
        }

        @Override
        public SearchReport report() {
            return finds.report();
        }

        @Override
        public void close() {
            finds.close();
            encoder.close();
        }
    }
}
