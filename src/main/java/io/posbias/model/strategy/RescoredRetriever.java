package io.posbias.model.strategy;

import io.posbias.base.process.Closing;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Preview;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Retrieves several times the requested passages by rough scores and reorders them by finer ones.
 *
 * @param encoder of both scores
 * @param times candidates per requested passage
 */
record RescoredRetriever(
        Model.Encoder encoder,
        Function<Model.Encoder, Retriever> rough,
        Function<Model.Encoder, Retriever> fine,
        int times)
        implements Retriever {
    /** Opens both stages with one source of vectors, so that nothing is encoded twice. */
    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        VectorSource vectors = encoder.open(engine);
        Model.Encoder shared = encoder.withVectors(same -> DerivedVectors.lent(vectors));
        Searcher finds = Closing.onFailure(() -> rough.apply(shared).open(dataset, engine), vectors::close);
        PoolScorer orders =
                Closing.onFailure(() -> fine.apply(shared).scorer(dataset, engine), finds::close, vectors::close);
        return Searcher.of(
                (queries, k) -> {
                    int depth =
                            (int) Math.min((long) times * k, dataset.passages().size());
                    RetrievedRun found = finds.search(queries, depth);
                    RetrievedRun ordered = orders.score(dataset, found.run()).top(k);
                    // The second report counts what both encoded, since their source counts cumulatively.
                    SearchReport report = new SearchReport(
                            found.report().truncations(),
                            null,
                            found.report().searchStats(),
                            ordered.report().usage());
                    return new RetrievedRun(ordered.run(), report);
                },
                orders::close,
                finds::close,
                vectors::close);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        return fine.apply(encoder).scorer(corpus, engine);
    }

    @Override
    public Optional<Model> model() {
        return fine.apply(encoder).model();
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        return rough.apply(encoder).calls(dataset, pool, engine);
    }

    @Override
    public Optional<Preview> preview() {
        return rough.apply(encoder).preview();
    }
}
