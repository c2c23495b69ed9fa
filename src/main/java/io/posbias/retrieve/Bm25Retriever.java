package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.Suggestions;
import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.retrieve.text.TextAnalysis;
import io.posbias.retrieve.text.WordAnalyzer;
import java.util.List;
import java.util.Optional;
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
    private static final String EXACT = "exact";
    private static final String LUCENE = "lucene";
    private static final List<String> FIELDS = List.of("k1", "b", "lengths", "analyzer", "stopwords", "stemmer");

    /** A static reference, since an unreferenced logger loses its level. */
    private static final Logger VECTORIZATION =
            Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

    static {
        // Silences the advice to enable an incubating module, without effect on posbias (docs/adr/0003-jvm-flags.md).
        VECTORIZATION.setLevel(Level.SEVERE);
    }

    static Bm25Retriever of(Recipe recipe) {
        Fields fields = recipe.settings();
        recipe.refuseOthers(FIELDS);
        double k1 = fields.number("k1");
        double b = fields.number("b");
        if (k1 < 0) {
            throw fields.bad("k1", "is " + k1, "it must be 0 or more");
        }
        if (b < 0 || b > 1) {
            throw fields.bad("b", "is " + b, "it must be between 0 and 1");
        }
        String lengths = oneOf(fields, "lengths", EXACT, List.of(EXACT, LUCENE));
        return new Bm25Retriever((float) k1, (float) b, lengths.equals(EXACT), analysis(fields));
    }

    private static TextAnalysis analysis(Fields fields) {
        String analyzer = oneOf(fields, "analyzer", TextAnalysis.AUTO, TextAnalysis.names());
        boolean usesWords = analyzer.equals(TextAnalysis.AUTO) || analyzer.equals(TextAnalysis.WORDS);
        for (String field : List.of("stopwords", "stemmer")) {
            if (!usesWords && fields.has(field)) {
                throw fields.bad(field, "has no meaning with analyzer: " + analyzer, "remove it");
            }
        }
        String stemmer = oneOf(fields, "stemmer", "porter2", WordAnalyzer.STEMMERS);
        List<String> stopwords = fields.texts("stopwords");
        if (stopwords.isEmpty() || stopwords.equals(List.of("english"))) {
            return new TextAnalysis(analyzer, Optional.empty(), stemmer);
        }
        return new TextAnalysis(
                analyzer, Optional.of(stopwords.equals(List.of("none")) ? List.of() : stopwords), stemmer);
    }

    private static String oneOf(Fields fields, String name, String fallback, List<String> known) {
        String value = fields.text(name, fallback);
        if (!known.contains(value)) {
            throw fields.bad(name, "is not valid", Suggestions.unknown(name, value, known));
        }
        return value;
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
