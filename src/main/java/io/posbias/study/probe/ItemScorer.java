package io.posbias.study.probe;

import io.posbias.base.files.Checksums;
import io.posbias.base.stats.Clusters;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.TextScorer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
        double[] scores = TextScorer.values(new TextScorer(pairs, language, queryLanguage).score(recipe, engine));
        List<ScoredItem> scored = new ArrayList<>();
        int next = 0;
        for (ProbeItem item : items) {
            scored.add(new ScoredItem(item, scores[next++], item.text2() == null ? null : (Double) scores[next++]));
        }
        return scored;
    }

    /**
     * An item with its scores.
     *
     * @param score2 null for items of one text
     */
    public record ScoredItem(
            ProbeItem item, double score1, @Nullable Double score2) {
        /** The clusters of items; an item without one is its own. */
        public static Clusters clusters(List<ScoredItem> items) {
            List<String> names = new ArrayList<>();
            for (ScoredItem scored : items) {
                String cluster = scored.item().cluster();
                // No name holds a line break.
                names.add(cluster == null ? "\n" + names.size() : cluster);
            }
            return Clusters.named(names);
        }

        /**
         * The score of the second text.
         *
         * @throws IllegalArgumentException for items of one text
         */
        double second() {
            if (score2 == null) {
                throw new IllegalArgumentException("item " + item.id() + " has one score");
            }
            return score2;
        }
    }
}
