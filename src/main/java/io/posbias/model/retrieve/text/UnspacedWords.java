package io.posbias.model.retrieve.text;

import io.posbias.base.process.Session;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.Span;
import io.posbias.data.dataset.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/**
 * Words of languages that are written without spaces: syllables in Tibetan, by the JDK's dictionary in Thai, by ICU's in Chinese,
 * Japanese, Lao, Khmer and Burmese.
 *
 * @param source of the words: {@code jdk}, {@code icu}, or {@code standard} if ICU cannot be downloaded
 * @param cut returns the words of a text, in UTF-16 units
 */
public record UnspacedWords(String source, Function<String, List<Span>> cut) {
    private static final Set<UnicodeScript> SCRIPTS = Set.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR);

    /** Empty for a language with spaces. */
    public static Optional<UnspacedWords> of(String language, Session session) {
        List<UnicodeScript> scripts = Language.scripts(language);
        if (scripts.contains(UnicodeScript.THAI) || scripts.contains(UnicodeScript.TIBETAN)) {
            return Optional.of(new UnspacedWords("jdk", text -> Words.cores(text, language)));
        } else if (scripts.stream().noneMatch(SCRIPTS::contains)) {
            return Optional.empty();
        }
        Analyzer analyzer = FetchedAnalyzer.ICU.openOrStandard(language, session);
        String source = analyzer instanceof StandardAnalyzer ? "standard" : "icu";
        return Optional.of(new UnspacedWords(source, text -> spans(text, analyzer)));
    }

    private static List<Span> spans(String text, Analyzer analyzer) {
        List<Span> spans = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream("text", text)) {
            OffsetAttribute place = tokens.addAttribute(OffsetAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                spans.add(new Span(place.startOffset(), place.endOffset()));
            }
            tokens.end();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return spans;
    }
}
