package io.posbias.probe;

import io.posbias.Checksums;
import io.posbias.encode.Engine;
import io.posbias.evaluate.TextScorer;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Scores the items of a probe with any retriever.
 *
 * @param language ISO 639-1 code of the texts
 */
public record ItemScorer(List<ProbeItem> items, String language, String queryLanguage) {
    /** Probes are English. */
    private static final String ENGLISH = "en";

    /** Items in English. */
    public ItemScorer(List<ProbeItem> items) {
        this(items, ENGLISH, ENGLISH);
    }

    /** SHA-256 of queries, texts and tags. */
    public String digest() {
        return Checksums.sha256(Stream.concat(
                Stream.of(language, queryLanguage),
                items.stream()
                        .flatMap(item -> Stream.of(
                                item.probe().name(),
                                item.id(),
                                item.query(),
                                item.text1(),
                                item.text2() == null ? "" : item.text2(),
                                new TreeMap<>(item.tags()).toString()))));
    }

    /** Scores all items in order and reports truncated texts. */
    public List<ScoredItem> score(Recipe recipe, Engine engine) {
        List<TextScorer.TitledPair> pairs = new ArrayList<>();
        for (ProbeItem item : items) {
            pairs.add(new TextScorer.TitledPair(item.query(), item.text1()));
            if (item.text2() != null) {
                pairs.add(new TextScorer.TitledPair(item.query(), item.text2()));
            }
        }
        double[] scores = new TextScorer(pairs, language, queryLanguage).score(recipe, engine);
        List<ScoredItem> scored = new ArrayList<>();
        int next = 0;
        for (ProbeItem item : items) {
            scored.add(new ScoredItem(item, scores[next++], item.text2() == null ? null : (Double) scores[next++]));
        }
        return scored;
    }
}
