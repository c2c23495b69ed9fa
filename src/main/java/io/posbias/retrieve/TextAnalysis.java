package io.posbias.retrieve;

import io.posbias.PosbiasException;
import io.posbias.dataset.DatasetCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/**
 * How text becomes terms. Passages and queries go through the same chain, that of the passages' language.
 *
 * @param name one of {@link #names()}
 * @param stopwords for {@code words}: what is dropped; empty stands for Lucene's 33 English stop words
 * @param stemmer for {@code words}: one of {@link WordAnalyzer#stemmers()}
 */
record TextAnalysis(String name, Optional<List<String>> stopwords, String stemmer) {
    /** {@link #WORDS} in English, {@link #LANGUAGE} in every other language. */
    static final String AUTO = "auto";
    /** Lucene's own analyzer for the language of the passages. */
    static final String LANGUAGE = "language";
    /** {@link WordAnalyzer}, whatever the language. */
    static final String WORDS = "words";

    private static final String STANDARD = "standard";
    private static final String WHITESPACE = "whitespace";
    private static final String ENGLISH = "en";

    /** All names that a recipe may give: rules, plain analyzers, and language codes that fix Lucene's analyzer. */
    static List<String> names() {
        List<String> names = new ArrayList<>(List.of(AUTO, LANGUAGE, WORDS, STANDARD, WHITESPACE));
        names.addAll(LanguageAnalyzers.codes());
        return names;
    }

    /**
     * Makes the analyzer for a benchmark.
     *
     * @throws PosbiasException if it depends on the language and there is none for this one
     */
    Analyzer open(DatasetCard card) {
        return switch (name) {
            case AUTO -> ENGLISH.equals(card.language()) ? words() : forLanguageOf(card);
            case LANGUAGE -> forLanguageOf(card);
            case WORDS -> words();
            case STANDARD -> new StandardAnalyzer();
            case WHITESPACE -> new WhitespaceAnalyzer();
            default -> LanguageAnalyzers.open(name).orElseThrow();
        };
    }

    private Analyzer words() {
        return stopwords
                .map(words -> new WordAnalyzer(words, stemmer))
                .orElseGet(() -> new WordAnalyzer(WordAnalyzer.ENGLISH_STOPWORDS, stemmer));
    }

    private static Analyzer forLanguageOf(DatasetCard card) {
        if (card.language().isEmpty()) {
            throw new PosbiasException(
                    "dataset " + card.name() + " does not say its language, which BM25 needs to split"
                            + " words: write 'language: en' (or another ISO 639-1 code) into its dataset.yaml");
        }
        return LanguageAnalyzers.open(card.language())
                .orElseThrow(() -> new PosbiasException("no analyzer for the language \"" + card.language()
                        + "\" of dataset " + card.name() + "; known: " + String.join(", ", LanguageAnalyzers.codes())
                        + "; a recipe with 'analyzer: standard' works for every language written with spaces"));
    }
}
