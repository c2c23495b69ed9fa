package io.posbias.evaluate;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Qrels;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.retrieve.Coverage;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Scores texts for queries with any retriever. The different texts become the passages of one benchmark in memory, so
 * statistics of a corpus, such as BM25's, are those of all of them.
 */
public final class TextScorer {
    private final List<Pair> pairs;
    private final Dataset dataset;
    private final Run pool;
    /** The texts, by ordinal. */
    private final String[] texts;

    /** A query and a text to score for it. */
    public record Pair(String query, String text) {}

    /**
     * Prepares pairs in the languages of a benchmark.
     *
     * @param language of the texts, as an ISO 639-1 code: BM25 takes words apart by it
     * @param queryLanguage of the queries
     */
    public TextScorer(List<Pair> pairs, String language, String queryLanguage) {
        this.pairs = List.copyOf(pairs);
        Map<String, Set<String>> textsOf = new LinkedHashMap<>();
        Map<String, Passage> passages = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            textsOf.computeIfAbsent(pair.query(), query -> new LinkedHashSet<>())
                    .add(pair.text());
            passages.putIfAbsent(pair.text(), new Passage("t" + passages.size(), "", pair.text()));
        }
        Passages corpus = Passages.of(List.copyOf(passages.values()));
        Map<String, Integer> ordinals = new HashMap<>();
        passages.forEach((text, passage) -> ordinals.put(text, corpus.ids().ordinal(passage.id())));
        this.texts = new String[passages.size()];
        ordinals.forEach((text, ordinal) -> texts[ordinal] = text);
        List<Query> asked = new ArrayList<>();
        List<Ranking> candidates = new ArrayList<>();
        textsOf.forEach((query, own) -> {
            asked.add(new Query("q" + asked.size(), query, null));
            int[] places = own.stream().mapToInt(ordinals::get).toArray();
            candidates.add(Ranking.of(places, new float[places.length]));
        });
        DatasetCard card = new DatasetCard(
                "probe", language, queryLanguage, "", "", "", "", DatasetCard.EvidenceText.PASSAGE, Map.of());
        this.dataset = new Dataset(card, Map.of(), corpus, asked, new Qrels(Map.of()));
        this.pool = new Run(corpus.ids(), asked.stream().map(Query::id).toList(), candidates);
    }

    /** Scores all pairs with a model, in their order; says what of their texts the model did not read. */
    public double[] score(Recipe recipe, Engine engine) {
        RetrievedRun scored = recipe.retriever().score(dataset, pool, engine);
        scored.report().coverages().forEach(coverage -> tell(coverage, engine));
        Map<Pair, Double> scores = new HashMap<>();
        for (int query = 0; query < dataset.queries().size(); query++) {
            Ranking ranking = scored.run().ranking(query);
            for (int rank = 0; rank < ranking.size(); rank++) {
                Pair pair = new Pair(dataset.queries().get(query).text(), texts[ranking.passage(rank)]);
                scores.put(pair, (double) ranking.score(rank));
            }
        }
        return pairs.stream()
                .mapToDouble(pair -> Objects.requireNonNull(scores.get(pair), "a retriever scores every candidate"))
                .toArray();
    }

    /** A model is not biased against what it never saw; to probes and diagnoses it looks as if it were. */
    private static void tell(Coverage coverage, Engine engine) {
        if (!coverage.known()) {
            engine.say(coverage.stage() + ": the service may have cut texts; it does not say");
        } else if (coverage.cut() > 0) {
            engine.say(coverage.stage() + ": " + coverage.cut() + " of " + coverage.total() + " "
                    + (coverage.unit() == Coverage.Unit.PASSAGES ? "texts" : "pairs") + " were truncated at "
                    + coverage.maxTokens() + " tokens; the rest was not read");
        }
    }
}
