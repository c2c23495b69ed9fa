package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;

/** BM25 on a Lucene index in memory. */
final class Bm25Retriever implements Retriever {
    /** Held for ever: a logger that nobody holds forgets its level. */
    private static final Logger VECTORIZATION =
            Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

    static {
        // Lucene asks for an incubating module that makes no difference here (docs/adr/0003-jvm-flags.md).
        VECTORIZATION.setLevel(Level.SEVERE);
    }

    private final Bm25Settings settings;

    Bm25Retriever(Bm25Settings settings) {
        this.settings = settings;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        Analyzer analyzer = settings.analyzer().open(dataset.card());
        Similarity similarity = settings.exactLengths()
                ? new ExactLengthSimilarity(settings.k1(), settings.b())
                : new BM25Similarity(settings.k1(), settings.b());
        Bm25Index index = Bm25Index.build(dataset, analyzer, similarity, engine.threads(), engine.progress());
        return new Bm25Searcher(index, analyzer, engine.threads(), engine.progress());
    }

    /** Makes it from recipes of kind {@code bm25}. */
    public static final class Provider implements RetrieverProvider {
        @Override
        public String kind() {
            return "bm25";
        }

        @Override
        public Retriever create(Recipe recipe) {
            return new Bm25Retriever(Bm25Settings.read(recipe));
        }
    }
}
