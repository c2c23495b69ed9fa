package io.posbias.model.retrieve.text;

import io.posbias.base.process.Session;
import io.posbias.data.dataset.DatasetCard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Terms of a text as in the recipe {@code bm25}, in their order: stemmed, without stop words. */
public final class Terms implements Function<String, List<String>> {
    private final Analyzer analyzer;

    /**
     * @throws io.posbias.base.process.PosbiasException if the benchmark's language is missing
     */
    public Terms(DatasetCard card, Session session) {
        analyzer = new TextAnalysis(TextAnalysis.AUTO, Optional.empty(), "porter2").open(card, session);
    }

    @Override
    public List<String> apply(String text) {
        return of(text, analyzer);
    }

    public static List<String> of(String text, Analyzer analyzer) {
        List<String> terms = new ArrayList<>();
        try (TokenStream tokens = analyzer.tokenStream("text", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                terms.add(term.toString());
            }
            tokens.end();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return terms;
    }
}
