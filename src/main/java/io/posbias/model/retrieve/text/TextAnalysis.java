package io.posbias.model.retrieve.text;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Language;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.bn.BengaliAnalyzer;
import org.apache.lucene.analysis.ca.CatalanAnalyzer;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.et.EstonianAnalyzer;
import org.apache.lucene.analysis.eu.BasqueAnalyzer;
import org.apache.lucene.analysis.fa.PersianAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.ga.IrishAnalyzer;
import org.apache.lucene.analysis.gl.GalicianAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.hy.ArmenianAnalyzer;
import org.apache.lucene.analysis.id.IndonesianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.lt.LithuanianAnalyzer;
import org.apache.lucene.analysis.lv.LatvianAnalyzer;
import org.apache.lucene.analysis.ne.NepaliAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sr.SerbianAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.ta.TamilAnalyzer;
import org.apache.lucene.analysis.te.TeluguAnalyzer;
import org.apache.lucene.analysis.th.ThaiAnalyzer;
import org.apache.lucene.analysis.th.ThaiTokenizer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;

/**
 * Analysis of text into terms. Passages and queries share one chain, that of the passages' language.
 *
 * @param name one of {@link #names()}
 * @param stopwords of {@code words}; Lucene's 33 English stop words if absent
 * @param stemmer of {@code words}: one of {@link WordAnalyzer#STEMMERS}
 */
public record TextAnalysis(String name, Optional<List<String>> stopwords, String stemmer) {
    /** {@link #WORDS} in English, {@link #LANGUAGE} in every other language. */
    public static final String AUTO = "auto";
    /** Lucene's own analyzer for the language of the passages. */
    public static final String LANGUAGE = "language";
    /** {@link WordAnalyzer}, for any language. */
    public static final String WORDS = "words";

    private static final String STANDARD = "standard";
    private static final String WHITESPACE = "whitespace";
    private static final String ENGLISH = "en";

    /**
     * Lucene's analyzers by ISO 639-1 code. Chinese, Japanese and Korean are indexed as overlapping pairs of characters
     * (CJKAnalyzer), as Anserini does for Chinese and Korean: no dictionary, no segmentation errors.
     */
    private static final Map<String, Supplier<Analyzer>> BY_CODE =
            Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
                    Map.entry("ar", ArabicAnalyzer::new),
                    Map.entry("bg", BulgarianAnalyzer::new),
                    Map.entry("bn", BengaliAnalyzer::new),
                    Map.entry("ca", CatalanAnalyzer::new),
                    Map.entry("cs", CzechAnalyzer::new),
                    Map.entry("da", DanishAnalyzer::new),
                    Map.entry("de", GermanAnalyzer::new),
                    Map.entry("el", GreekAnalyzer::new),
                    Map.entry("en", EnglishAnalyzer::new),
                    Map.entry("es", SpanishAnalyzer::new),
                    Map.entry("et", EstonianAnalyzer::new),
                    Map.entry("eu", BasqueAnalyzer::new),
                    Map.entry("fa", PersianAnalyzer::new),
                    Map.entry("fi", FinnishAnalyzer::new),
                    Map.entry("fr", FrenchAnalyzer::new),
                    Map.entry("ga", IrishAnalyzer::new),
                    Map.entry("gl", GalicianAnalyzer::new),
                    Map.entry("hi", HindiAnalyzer::new),
                    Map.entry("hu", HungarianAnalyzer::new),
                    Map.entry("hy", ArmenianAnalyzer::new),
                    Map.entry("id", IndonesianAnalyzer::new),
                    Map.entry("it", ItalianAnalyzer::new),
                    Map.entry("ja", CJKAnalyzer::new),
                    Map.entry("ko", CJKAnalyzer::new),
                    Map.entry("lt", LithuanianAnalyzer::new),
                    Map.entry("lv", LatvianAnalyzer::new),
                    Map.entry("ne", NepaliAnalyzer::new),
                    Map.entry("nl", DutchAnalyzer::new),
                    Map.entry("no", NorwegianAnalyzer::new),
                    Map.entry("pt", PortugueseAnalyzer::new),
                    Map.entry("ro", RomanianAnalyzer::new),
                    Map.entry("ru", RussianAnalyzer::new),
                    Map.entry("sr", SerbianAnalyzer::new),
                    Map.entry("sv", SwedishAnalyzer::new),
                    Map.entry("ta", TamilAnalyzer::new),
                    Map.entry("te", TeluguAnalyzer::new),
                    Map.entry("th", ThaiAnalyzer::new),
                    Map.entry("tr", TurkishAnalyzer::new),
                    Map.entry("zh", CJKAnalyzer::new))));

    /** Returns the values of a recipe's field: rules, plain analyzers, and language codes of Lucene's analyzers. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(List.of(AUTO, LANGUAGE, WORDS, STANDARD, WHITESPACE));
        names.addAll(FetchedAnalyzer.WORDS);
        names.addAll(BY_CODE.keySet());
        return names;
    }

    /**
     * Creates the analyzer for a benchmark. Jars of other languages than Lucene's common ones are downloaded on first use.
     *
     * @throws PosbiasException if the language is missing, or the jars of an analyzer that the recipe names
     */
    public Analyzer open(DatasetCard card, Session session) {
        return switch (name) {
            case AUTO -> ENGLISH.equals(card.language()) ? words() : forLanguageOf(card, session);
            case LANGUAGE -> forLanguageOf(card, session);
            case WORDS -> words();
            case STANDARD -> new StandardAnalyzer();
            case WHITESPACE -> new WhitespaceAnalyzer();
            default -> {
                Supplier<Analyzer> known = BY_CODE.get(name);
                yield known == null ? FetchedAnalyzer.named(name).open(session) : known.get();
            }
        };
    }

    private Analyzer words() {
        return stopwords
                .map(words -> new WordAnalyzer(words, stemmer))
                .orElseGet(() -> new WordAnalyzer(WordAnalyzer.ENGLISH_STOPWORDS, stemmer));
    }

    private static Analyzer forLanguageOf(DatasetCard card, Session session) {
        String language = card.language();
        if (language.isEmpty()) {
            throw new PosbiasException("dataset " + card.name() + " has no language, which BM25 needs to split"
                    + " words: give --language, or 'language: en' (or another ISO 639-1 code) in its dataset.yaml");
        }
        Supplier<Analyzer> known = BY_CODE.get(language);
        if (known == null && Language.name(language).equals(language)) {
            throw new PosbiasException(Printable.quoted(language) + ", the language of dataset " + card.name()
                    + ", is not an ISO 639 code: give --language, or 'language: en' (or another) in its dataset.yaml");
        }
        // A Java without its dictionary of Thai, as jlink makes it.
        return known == null || (language.equals("th") && !ThaiTokenizer.DBBI_AVAILABLE)
                ? FetchedAnalyzer.of(language).openOrStandard(language, session)
                : known.get();
    }
}
