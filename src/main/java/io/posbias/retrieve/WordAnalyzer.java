package io.posbias.retrieve;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;

/**
 * The chain of bm25s, which the SQuAD-PosQ paper used: runs of two or more word characters (Python's {@code \w}: letters,
 * digits, underscore), lower case, stop words dropped, Snowball stemmer. A run of more than 255 UTF-16 units is split
 * there, where Lucene's own tokenizers split.
 */
final class WordAnalyzer extends Analyzer {
    /** Lucene's 33 English stop words, the list that bm25s calls English. */
    static final List<String> ENGLISH_STOPWORDS = EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.stream()
            .map(word -> new String((char[]) word))
            .sorted()
            .toList();

    private static final int SHORTEST = 2;

    private static final Map<String, UnaryOperator<TokenStream>> STEMMERS = new TreeMap<>(Map.of(
            "none", UnaryOperator.identity(),
            "porter", PorterStemFilter::new,
            "porter2", snowball(EnglishStemmer::new),
            "french", snowball(FrenchStemmer::new),
            "german", snowball(GermanStemmer::new),
            "italian", snowball(ItalianStemmer::new),
            "portuguese", snowball(PortugueseStemmer::new),
            "russian", snowball(RussianStemmer::new),
            "spanish", snowball(SpanishStemmer::new)));

    private final CharArraySet stopwords;
    private final UnaryOperator<TokenStream> stemmer;

    /**
     * Makes the chain.
     *
     * @param stopwords in lower case
     * @param stemmer one of {@link #stemmers()}
     */
    WordAnalyzer(List<String> stopwords, String stemmer) {
        this.stopwords = new CharArraySet(stopwords, false);
        this.stemmer = STEMMERS.getOrDefault(stemmer, UnaryOperator.identity());
    }

    /** The stemmers there are. */
    static List<String> stemmers() {
        return List.copyOf(STEMMERS.keySet());
    }

    private static UnaryOperator<TokenStream> snowball(Supplier<SnowballStemmer> stemmer) {
        return tokens -> new SnowballFilter(tokens, stemmer.get());
    }

    @Override
    protected TokenStreamComponents createComponents(String field) {
        Tokenizer tokenizer = CharTokenizer.fromTokenCharPredicate(WordAnalyzer::isWordCharacter);
        TokenStream tokens = new LengthFilter(tokenizer, SHORTEST, Integer.MAX_VALUE);
        tokens = new StopFilter(new LowerCaseFilter(tokens), stopwords);
        return new TokenStreamComponents(tokenizer, stemmer.apply(tokens));
    }

    /** Python's {@code str.isalnum} or the underscore: letters and everything with a numeric value. */
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
