package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.text.TextAnalysis;
import io.posbias.model.retrieve.text.WordAnalyzer;
import java.util.List;
import java.util.Objects;
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
    /** A static reference, since an unreferenced logger loses its level. */
    private static final Logger VECTORIZATION =
            Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

    static {
        // Silences the advice to enable an incubating module, without effect on posbias (docs/adr/0003-jvm-flags.md).
        VECTORIZATION.setLevel(Level.SEVERE);
    }

    /**
     * Recipe of BM25.
     *
     * @param stopwords {@code english}, {@code none}, or a list
     * @param stemmer null for the default
     */
    record Bm25Recipe(
            @JsonUnwrapped RecipeCard card,
            @Setting(least = 0) double k1,
            @Setting(least = 0, most = 1) double b,
            @Setting(words = {"exact", "lucene"}) String lengths,
            @Setting(usual = TextAnalysis.AUTO) String analyzer,
            @Nullable List<String> stopwords,
            @Nullable String stemmer)
            implements Recipe {
        private static final List<String> ENGLISH = List.of("english");

        Bm25Recipe {
            refuseUnknown("analyzer", analyzer, TextAnalysis.names());
            if (!analyzer.equals(TextAnalysis.AUTO) && !analyzer.equals(TextAnalysis.WORDS)) {
                refuse("stopwords", stopwords, analyzer);
                refuse("stemmer", stemmer, analyzer);
            }
            if (stemmer != null) {
                refuseUnknown("stemmer", stemmer, WordAnalyzer.STEMMERS);
            }
        }

        private static void refuse(String field, @Nullable Object value, String analyzer) {
            if (value != null) {
                throw new Setting.Wrong(field, "has no meaning with analyzer: " + analyzer, "remove it");
            }
        }

        private static void refuseUnknown(String field, String value, List<String> known) {
            if (!known.contains(value)) {
                throw new Setting.Wrong(field, "is not valid", Suggestions.unknown(field, value, known));
            }
        }

        @Override
        public void refuseLanguage(DatasetCard card) {
            retriever().analyzer.open(card).close();
        }

        @Override
        public Bm25Retriever retriever() {
            List<String> words = stopwords == null || stopwords.isEmpty() ? ENGLISH : stopwords;
            Optional<List<String>> own = words.equals(ENGLISH)
                    ? Optional.empty()
                    : Optional.of(words.equals(List.of("none")) ? List.of() : words);
            return new Bm25Retriever(
                    (float) k1,
                    (float) b,
                    lengths.equals("exact"),
                    new TextAnalysis(analyzer, own, Objects.requireNonNullElse(stemmer, "porter2")));
        }
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
