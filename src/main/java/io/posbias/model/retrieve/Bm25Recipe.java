package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Setting;
import io.posbias.base.process.Session;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.model.retrieve.text.TextAnalysis;
import io.posbias.model.retrieve.text.WordAnalyzer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    public void prepareWords(DatasetCard card, Session session) {
        retriever().analyzer().open(card, session).close();
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
