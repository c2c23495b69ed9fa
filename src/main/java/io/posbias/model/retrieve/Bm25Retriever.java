package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.text.TextAnalysis;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
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
        Analyzer opened = analyzer.open(corpus.card(), engine.session());
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

    /**
     * BM25 with exact passage lengths, as in bm25s's default, its "lucene" variant (Kamphuis et al. 2020): idf = ln(1 + (N
     * - df + 0.5) / (df + 0.5)), score = idf tf / (tf + k1 (1 - b + b dl / avgdl)). N and avgdl count every passage, also
     * empty ones. Lucene's own {@code BM25Similarity} rounds dl to a byte.
     */
    static final class ExactLengthSimilarity extends Similarity {
        private final float k1;
        private final float b;

        ExactLengthSimilarity(float k1, float b) {
            this.k1 = k1;
            this.b = b;
        }

        @Override
        public long computeNorm(FieldInvertState state) {
            return state.getLength();
        }

        @Override
        public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
            double passages = collection.maxDoc();
            double averageLength = collection.sumTotalTermFreq() / passages;
            double weight = 0;
            for (TermStatistics term : terms) {
                weight += boost * Math.log(1 + (passages - term.docFreq() + 0.5) / (term.docFreq() + 0.5));
            }
            double factor = weight;
            double base = k1 * (1 - b);
            double perTerm = k1 * b / averageLength;
            return new SimScorer() {
                @Override
                public float score(float frequency, long length) {
                    return (float) (factor * frequency / (frequency + base + perTerm * length));
                }
            };
        }
    }
}
