package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.text.TextAnalysis;
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
        return searcher(dataset, dataset, null, engine);
    }

    /** @param counted whose statistics apply; null for the texts' own */
    private Bm25Searcher searcher(Dataset texts, Dataset corpus, @Nullable Bm25Index counted, Engine engine) {
        Analyzer opened = analyzer.open(corpus.card());
        Similarity similarity = exactLengths ? new ExactLengthSimilarity(k1, b) : new BM25Similarity(k1, b);
        Bm25Index index = Bm25Index.build(texts, counted, opened, similarity, engine.threads(), engine.progress());
        return new Bm25Searcher(index, opened, engine.threads(), engine.progress());
    }

    /** Scores with the corpus's term frequencies and mean length. */
    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        Bm25Searcher ofCorpus = searcher(corpus, corpus, null, engine);
        return PoolScorer.of(
                (texts, pool) -> {
                    if (texts.isSame(corpus)) {
                        return Pool.restricted(texts, pool, ofCorpus);
                    }
                    try (Searcher own = searcher(texts, corpus, ofCorpus.index(), engine)) {
                        return Pool.restricted(texts, pool, own);
                    }
                },
                ofCorpus::close);
    }
}
