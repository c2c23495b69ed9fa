package io.posbias.model.retrieve.text;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.data.dataset.Language;
import io.posbias.fetch.jars.LibraryJars;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/** Lucene's analyzers that no archive holds. Their jars are downloaded on first use. */
enum FetchedAnalyzer {
    /** Words by Unicode's rules, and by dictionaries in Chinese, Japanese, Thai, Lao, Khmer and Burmese; in lower case. */
    ICU("icu.segmentation.ICUTokenizer"),
    /** Japanese. */
    KUROMOJI("ja.JapaneseAnalyzer"),
    /** Ukrainian. */
    MORFOLOGIK("uk.UkrainianMorfologikAnalyzer"),
    /** Korean. */
    NORI("ko.KoreanAnalyzer"),
    /** Simplified Chinese. */
    SMARTCN("cn.smart.SmartChineseAnalyzer"),
    /** Polish. */
    STEMPEL("pl.PolishAnalyzer");

    static final List<String> WORDS =
            Arrays.stream(values()).map(FetchedAnalyzer::toString).toList();

    private final String type;

    /** @param type below Lucene's package {@code analysis} */
    FetchedAnalyzer(String type) {
        this.type = type;
    }

    /** Returns the analyzer of a language that the bundled ones lack. */
    static FetchedAnalyzer of(String language) {
        return switch (language) {
            case "pl" -> STEMPEL;
            case "uk" -> MORFOLOGIK;
            default -> ICU;
        };
    }

    static FetchedAnalyzer named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** @throws PosbiasException if the jars cannot be downloaded */
    Analyzer open(Session session) {
        return create((ClassLoader) session.made().computeIfAbsent(name(), part -> load(session)));
    }

    /** Opens the analyzer, or Lucene's StandardAnalyzer if its jars cannot be downloaded. A note names the one in use, once. */
    Analyzer openOrStandard(String language, Session session) {
        ClassLoader loader = (ClassLoader) session.made().computeIfAbsent(name() + " or standard", part -> {
            String words = "note: words of " + Language.name(language) + " by ";
            try {
                ClassLoader loaded = load(session);
                session.say(words + "Lucene's analyzer " + this);
                return loaded;
            } catch (PosbiasException missing) {
                session.say(words + "Lucene's StandardAnalyzer instead of " + this + ": " + missing.line());
                return FetchedAnalyzer.class.getClassLoader();
            }
        });
        return loader.equals(FetchedAnalyzer.class.getClassLoader()) ? new StandardAnalyzer() : create(loader);
    }

    private ClassLoader load(Session session) {
        return LibraryJars.loader("Lucene's analyzer " + this, toString(), List.of(), session);
    }

    private Analyzer create(ClassLoader loader) {
        Object made = made(loader);
        return made instanceof Analyzer analyzer
                ? analyzer
                : new Analyzer() {
                    @Override
                    protected TokenStreamComponents createComponents(String field) {
                        Tokenizer tokenizer = (Tokenizer) made(loader);
                        TokenStream tokens = new LowerCaseFilter(tokenizer);
                        return new TokenStreamComponents(tokenizer, tokens);
                    }
                };
    }

    private Object made(ClassLoader loader) {
        try {
            return loader.loadClass("org.apache.lucene.analysis." + type)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Name of the analyzer in recipes, and of the list of its jars. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
