package io.posbias.retrieve.strategy;

import io.posbias.dataset.Dataset;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.TextReader;
import io.posbias.encode.cache.VectorSource;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.retrieve.Attribution;
import io.posbias.retrieve.PoolScorer;
import io.posbias.retrieve.Reading;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Retriever;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.Searcher;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A retriever around another, which does all that is not done otherwise. */
abstract class WrappedRetriever implements Retriever {
    private final Retriever inner;

    WrappedRetriever(Retriever inner) {
        this.inner = inner;
    }

    Retriever inner() {
        return inner;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return inner.open(dataset, engine);
    }

    @Override
    public RetrievedRun score(Dataset dataset, Run pool, Engine engine) {
        return inner.score(dataset, pool, engine);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        return inner.scorer(corpus, engine);
    }

    @Override
    public boolean givesLogits() {
        return inner.givesLogits();
    }

    @Override
    public Optional<Function<Engine, VectorSource>> vectors() {
        return inner.vectors();
    }

    @Override
    public Optional<Function<Engine, TextEncoder>> encoder() {
        return inner.encoder();
    }

    @Override
    public Optional<Function<Engine, TextReader>> reader() {
        return inner.reader();
    }

    @Override
    public Optional<SearchReport.Preview> preview() {
        return inner.preview();
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Engine engine) {
        return inner.estimate(dataset, engine);
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Run pool, Engine engine) {
        return inner.estimate(dataset, pool, engine);
    }

    @Override
    public List<ModelFiles> files() {
        return inner.files();
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        return inner.check(engine);
    }

    @Override
    public Reading reading() {
        return inner.reading();
    }

    @Override
    public double vectorBytes(double texts, double tokens) {
        return inner.vectorBytes(texts, tokens);
    }

    @Override
    public Attribution attribution() {
        return new Attribution.None("wraps a model whose scores it changes");
    }
}
