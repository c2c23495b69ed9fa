package io.posbias.model.retrieve.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class WordAnalyzerTest {
    public static List<String> terms(Analyzer analyzer, String text) throws IOException {
        List<String> terms = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream("text", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                terms.add(term.toString());
            }
            tokens.end();
        }
        return terms;
    }

    private static List<String> plain(String text) throws IOException {
        return terms(new WordAnalyzer(List.of(), "none"), text);
    }

    @Test
    void takesRunsOfTwoOrMoreWordCharacters() throws IOException {
        // Python: re.findall(r"(?u)\b\w\w+\b", "A don't x_1 42 é3 ½½ I’m ²x".lower())
        assertThat(plain("A don't x_1 42 é3 ½½ I’m ²x")).containsExactly("don", "x_1", "42", "é3", "½½", "²x");
    }

    @Test
    void marksThatAreNotLettersSplitAsInPython() throws IOException {
        // Python's \w leaves out combining marks: Devanagari vowel signs split words.
        assertThat(plain("हिन्दी cafe\u0301s")).containsExactly("cafe");
    }

    @Test
    void dropsLucenesStopWordsAndStems() throws IOException {
        assertThat(terms(
                        new WordAnalyzer(WordAnalyzer.ENGLISH_STOPWORDS, "porter2"),
                        "The foxes were generously running"))
                .containsExactly("fox", "were", "generous", "run");
        assertThat(WordAnalyzer.ENGLISH_STOPWORDS)
                .hasSize(33)
                .contains("such", "will")
                .doesNotContain("were");
    }

    @ParameterizedTest
    @CsvSource({
        "porter2, generously, generous",
        "porter, generously, gener",
        "none, generously, generously",
        "german, häuser, haus",
        "spanish, corriendo, corr",
        "french, continuellement, continuel"
    })
    void stemsWithTheStemmerAskedFor(String stemmer, String word, String stem) throws IOException {
        assertThat(terms(new WordAnalyzer(List.of(), stemmer), word)).containsExactly(stem);
    }

    @Test
    void survivesAWordWithoutEnd() throws IOException {
        assertThat(plain("x".repeat(100_000))).hasSize(393).first().asString().hasSize(255);
    }
}
