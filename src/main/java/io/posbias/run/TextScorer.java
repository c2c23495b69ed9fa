package io.posbias.run;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.Ties;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Scores texts for queries with any retriever. The distinct texts are the passages of a benchmark in memory, so corpus
 * statistics as BM25's are those of these texts.
 */
public final class TextScorer {
    private final List<TitledPair> pairs;
    private final Dataset dataset;
    private final Run pool;
    /** Texts by ordinal. */
    private final TitledText[] texts;

    /**
     * @param title read before the text; may be empty
     */
    public record TitledPair(String query, String title, String text) {
        public TitledPair(String query, String text) {
            this(query, "", text);
        }
    }

    /**
     * @param value as returned by the model
     * @param seen UTF-16 units of the text that were read, as in {@link Truncations#seen}
     */
    public record TextScore(double value, int seen) {}

    private record TitledText(String title, String text) {}

    /** A query with texts to score for it. */
    public record Texts(String query, List<String> texts) {}

    /**
     * Scores texts of several queries together.
     *
     * @param scores returns a score for each pair; not called without pairs
     * @return by query and text
     */
    public static <S> List<List<S>> byQuery(List<Texts> queries, Function<List<TitledPair>, List<S>> scores) {
        List<TitledPair> pairs = queries.stream()
                .flatMap(own -> own.texts().stream().map(text -> new TitledPair(own.query(), text)))
                .toList();
        Iterator<S> all = pairs.isEmpty()
                ? Collections.emptyIterator()
                : scores.apply(pairs).iterator();
        return queries.stream()
                .map(own -> own.texts().stream().map(text -> all.next()).toList())
                .toList();
    }

    /**
     * @param language of the texts, an ISO 639-1 code, for BM25's analyzer
     */
    public TextScorer(List<TitledPair> pairs, String language, String queryLanguage) {
        this.pairs = List.copyOf(pairs);
        Map<String, Set<TitledText>> textsOf = new LinkedHashMap<>();
        Map<TitledText, Passage> passages = new LinkedHashMap<>();
        for (TitledPair pair : pairs) {
            TitledText text = new TitledText(pair.title(), pair.text());
            textsOf.computeIfAbsent(pair.query(), query -> new LinkedHashSet<>())
                    .add(text);
            passages.putIfAbsent(text, new Passage("t" + passages.size(), text.title(), text.text()));
        }
        Passages corpus = Passages.of(List.copyOf(passages.values()));
        Map<TitledText, Integer> ordinals = new HashMap<>();
        passages.forEach((text, passage) -> ordinals.put(text, corpus.ids().ordinal(passage.id())));
        this.texts = new TitledText[passages.size()];
        ordinals.forEach((text, ordinal) -> texts[ordinal] = text);
        List<Query> asked = new ArrayList<>();
        List<Ranking> candidates = new ArrayList<>();
        // Rerankers record truncation for judged passages.
        Map<String, Judgments> judgments = new HashMap<>();
        textsOf.forEach((query, own) -> {
            int[] places = own.stream().mapToInt(ordinals::get).toArray();
            judgments.put(
                    "q" + asked.size(),
                    Judgments.of(Arrays.stream(places).boxed().collect(Collectors.toMap(place -> place, place -> 1))));
            asked.add(new Query("q" + asked.size(), query, null));
            candidates.add(Ranking.of(places, new float[places.length]));
        });
        DatasetCard card = DatasetCard.named("texts")
                .with(DatasetCard.Field.LANGUAGE, language)
                .with(DatasetCard.Field.QUERY_LANGUAGE, queryLanguage);
        this.dataset = new Dataset(card, Map.of(), corpus, asked, new Qrels(judgments));
        this.pool = new Run(corpus.ids(), asked.stream().map(Query::id).toList(), candidates);
    }

    /** Scores all pairs in their order, and reports truncated texts. */
    public List<TextScore> score(Recipe recipe, Engine engine) {
        try (PoolScorer scorer = recipe.retriever().scorer(dataset, engine)) {
            RetrievedRun scored = scorer.score(dataset, pool);
            scored.report().truncations().all().forEach(truncation -> reportTruncation(truncation, engine));
            List<TextScore> scores = scores(scored);
            reportTies(recipe, scores, engine);
            return scores;
        }
    }

    public static double[] values(List<TextScore> scores) {
        return scores.stream().mapToDouble(TextScore::value).toArray();
    }

    /** Returns the texts as passages of a benchmark. */
    public Dataset dataset() {
        return dataset;
    }

    /** Returns the queries' own texts as candidates. */
    public Run pool() {
        return pool;
    }

    public List<TextScore> score(PoolScorer scorer) {
        return scores(scorer.score(dataset, pool));
    }

    /** Returns the number of distinct texts and of their UTF-16 units. */
    public long[] size() {
        return new long[] {
            texts.length,
            Arrays.stream(texts).mapToLong(text -> text.text().length()).sum()
        };
    }

    private List<TextScore> scores(RetrievedRun scored) {
        Truncations truncations = scored.report().truncations();
        Map<TitledPair, TextScore> scores = new HashMap<>();
        for (int query = 0; query < dataset.queries().size(); query++) {
            Ranking ranking = scored.run().ranking(query);
            Query asked = dataset.queries().get(query);
            for (int rank = 0; rank < ranking.size(); rank++) {
                TitledText text = texts[ranking.passage(rank)];
                int seen = truncations.seen(asked.id(), ranking.passage(rank));
                scores.put(
                        new TitledPair(asked.text(), text.title(), text.text()),
                        new TextScore(ranking.score(rank), seen));
            }
        }
        return pairs.stream()
                .map(pair -> Objects.requireNonNull(scores.get(pair), "a retriever scores every candidate"))
                .toList();
    }

    /** Reports a model that gives all texts one score, which looks like one without position bias. */
    private void reportTies(Recipe recipe, List<TextScore> scores, Engine engine) {
        DoubleSummaryStatistics all =
                scores.stream().mapToDouble(TextScore::value).summaryStatistics();
        if (dataset.queries().size() > 1
                && texts.length > 1
                && Ties.areTied((float) all.getMin(), (float) all.getMax())) {
            engine.say("note: " + recipe.name() + " gives all " + texts.length
                    + " texts the same score for all queries; 'posbias models check' tests a model");
        }
    }

    /** Reports truncation, which looks like position bias in probes and diagnoses. */
    public static void reportTruncation(TruncationReport truncation, Engine engine) {
        if (!truncation.known()) {
            engine.say(truncation.stage() + ": the service may truncate texts silently");
        } else if (truncation.cut() > 0) {
            engine.say(truncation.stage() + ": " + truncation.cut() + " of " + truncation.total() + " "
                    + (truncation.unit() == TruncationReport.Unit.PASSAGES ? "texts" : "pairs") + " were truncated"
                    + (truncation.maxTokens() > 0 ? " at " + truncation.maxTokens() + " tokens" : ""));
        }
    }
}
