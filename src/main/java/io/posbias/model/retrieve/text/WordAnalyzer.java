package io.posbias.model.retrieve.text;

import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.LengthFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.util.CharTokenizer;

/**
 * Chain of bm25s, as in the SQuAD-PosQ paper: runs of two or more word characters (Python's {@code \w}: letters,
 * digits, underscore), lower case, stop words, Snowball stemmer. A run of more than 255 UTF-16 units is split, as by
 * Lucene's tokenizers.
 */
public final class WordAnalyzer extends Analyzer {
    /** Lucene's 33 English stop words, the list that bm25s calls English. */
    public static final List<String> ENGLISH_STOPWORDS = EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.stream()
            .map(word -> new String((char[]) word))
            .sorted()
            .toList();

    private static final int SHORTEST = 2;

    public static final List<String> STEMMERS =
            List.of("french", "german", "italian", "none", "porter", "porter2", "portuguese", "russian", "spanish");

    private final CharArraySet stopwords;
    private final String stemmer;

    /**
     * @param stopwords in lower case
     * @param stemmer one of {@link #STEMMERS}
     */
    WordAnalyzer(List<String> stopwords, String stemmer) {
        this.stopwords = new CharArraySet(stopwords, false);
        this.stemmer = stemmer;
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
        Tokenizer tokenizer = CharTokenizer.fromTokenCharPredicate(WordAnalyzer::isWordCharacter);
        TokenStream tokens = new LengthFilter(tokenizer, SHORTEST, Integer.MAX_VALUE);
        tokens = new StopFilter(new LowerCaseFilter(tokens), stopwords);
        return new TokenStreamComponents(tokenizer, stemmed(tokens));
    }

    private TokenStream stemmed(TokenStream tokens) {
        return switch (stemmer) {
            case "none" -> tokens;
            case "porter" -> new PorterStemFilter(tokens);
            case "porter2" -> new SnowballFilter(tokens, "English");
            default -> new SnowballFilter(tokens, Character.toUpperCase(stemmer.charAt(0)) + stemmer.substring(1));
        };
    }

    /** As Python's {@code str.isalnum} or the underscore: letters and characters with a numeric value. */
    private static boolean isWordCharacter(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> codePoint == '_';
        };
    }
}
