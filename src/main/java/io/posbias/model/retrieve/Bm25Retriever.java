package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.text.TextAnalysis;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.jspecify.annotations.Nullable;

/**
 * BM25 on a Lucene index in memory.
 *
 * @param k1 saturation of repeated terms; 0 or more
 * @param b weight of length; between 0 and 1
 * @param exactLengths false to round lengths to one byte, as Lucene does
 */
record Bm25Retriever(float k1, float b, boolean exactLengths, TextAnalysis analyzer) implements Retriever {
    /** A static reference, since an unreferenced logger loses its level. */
    private static final Logger VECTORIZATION =
            Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

    static {
        // Silences the advice to enable an incubating module, without effect on posbias (docs/adr/0003-jvm-flags.md).
        VECTORIZATION.setLevel(Level.SEVERE);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        Analyzer opened = analyzer.open(dataset.card());
        return new Bm25Searcher(index(dataset, null, opened, engine), opened, engine.threads(), engine.progress());
    }

    private Bm25Index index(Dataset dataset, @Nullable Bm25Index corpus, Analyzer opened, Engine engine) {
        Similarity similarity = exactLengths ? new ExactLengthSimilarity(k1, b) : new BM25Similarity(k1, b);
        return Bm25Index.build(dataset, corpus, opened, similarity, engine.threads(), engine.progress());
    }

    /** Scores with the corpus's term frequencies and mean length. */
    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        Analyzer opened = analyzer.open(corpus.card());
        Bm25Index whole = index(corpus, null, opened, engine);
        Searcher ofCorpus = new Bm25Searcher(whole, opened, engine.threads(), engine.progress());
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                if (texts.isSame(corpus)) {
                    return Pool.restricted(texts, pool, ofCorpus);
                }
                // A searcher closes its analyzer and its index.
                Analyzer own = analyzer.open(corpus.card());
                Bm25Index index = index(texts, whole, own, engine);
                try (Searcher searcher = new Bm25Searcher(index, own, engine.threads(), engine.progress())) {
                    return Pool.restricted(texts, pool, searcher);
                }
            }

            @Override
            public void close() {
                ofCorpus.close();
            }
        };
    }
}
