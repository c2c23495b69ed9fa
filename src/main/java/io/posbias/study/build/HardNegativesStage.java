package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Sentences;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.Ranking;
import io.posbias.run.TextScorer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Adds hard negatives to questions: the highest passages of a search that no model scores like the evidence's. Passages of the
 * question's own document, and of a document with the same question, are never taken. Each document gives a question one.
 * Variants of a question ({@link Candidate#SAME_AS}) are dropped together if one of them has too few.
 *
 * @param first searches the documents
 * @param top number of passages that are searched for each question
 * @param models leave out what they call relevant: a passage that one of them scores as high as the question's own, or as the
 *     lowest of its variants'
 * @param margin that a passage must be below that, in a model's scores
 * @param n negatives of a question
 * @param spans scores the sentences of a negative; the best one is where it looks relevant
 * @param place {@code same}: only negatives with their best sentence in the third that has the question's evidence; the
 *     third of a sentence is that of its middle, as in windows
 */
record HardNegativesStage(
        @Setting(usual = "bm25") Recipe first,
        @Setting(usual = "50", least = 1) int top,
        @Setting(usual = "[]") List<Recipe> models,
        @Setting(usual = "0", least = 0) double margin,
        @Setting(usual = "1", least = 1) int n,
        @Setting(usual = "bm25") Recipe spans,
        @Setting(words = {"any", SAME}) String place)
        implements Stage {
    private static final String SAME = "same";
    private static final int BATCH = 512;

    HardNegativesStage {
        if (!models.isEmpty()) {
            new StageModels(models, "none");
        }
    }

    private static String variants(Pool pool) {
        return pool.question().fields().text(Candidate.SAME_AS, pool.question().id());
    }

    @Override
    public Set<String> requiredFields() {
        return place.equals(SAME) ? Set.of(Candidate.QUESTION, Candidate.POSITION) : Set.of(Candidate.QUESTION);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.NEGATIVES, Candidate.NEGATIVE_POSITIONS);
    }

    @Override
    public Object inputs(StageContext context) {
        return StageModels.inputs(context, models, first, spans);
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        return Forecast.ofPairs(before.candidates(), before.candidates() * (top + 1.0) * models.size());
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        ModelStore store = new ModelStore(context.session());
        store.require(first);
        store.require(spans);
        models.forEach(store::requireOwn);
        Dataset corpus = context.corpus();
        List<Pool> pools = search(candidates, corpus, context);
        long searched = Pool.count(pools);
        for (Recipe model : models) {
            pools = irrelevant(model, pools, corpus, context);
        }
        out.note("passages found", searched);
        out.note("left out as relevant", searched - Pool.count(pools));
        write(pools, negatives(pools, corpus, context), out);
    }

    private static String documentOf(String passage) {
        return new Passage(passage, "", "").document();
    }

    private List<Pool> search(Candidates candidates, Dataset corpus, StageContext context) {
        PassageIds ids = corpus.passages().ids();
        Map<String, List<String>> passages =
                ids.all().stream().collect(Collectors.groupingBy(HardNegativesStage::documentOf));
        Map<String, Set<String>> documents = new HashMap<>();
        candidates.forEach(question -> documents
                .computeIfAbsent(question.text(Candidate.QUESTION), text -> new HashSet<>())
                .add(documentOf(question.document())));
        List<Pool> pools = new ArrayList<>();
        try (Searcher searcher =
                first.retriever().open(corpus, context.engine()).withoutExcluded()) {
            candidates.forEachBatch(
                    BATCH,
                    batch -> Pool.search(
                                    batch,
                                    top,
                                    searcher,
                                    ids,
                                    question ->
                                            documents.getOrDefault(question.text(Candidate.QUESTION), Set.of()).stream()
                                                    .flatMap(document ->
                                                            passages.getOrDefault(document, List.of()).stream())
                                                    .toList())
                            .forEach(pool -> pools.add(pool.only(passage ->
                                    !context.documents().text(ids.id(passage)).isBlank()))));
        }
        return pools;
    }

    /** Leaves out the passages that a model scores as high as the lowest of the variants' own passages, less the margin. */
    private List<Pool> irrelevant(Recipe model, List<Pool> pools, Dataset corpus, StageContext context) {
        List<Ranking> scores = new ArrayList<>();
        try (PoolScorer scorer = model.retriever().scorer(corpus, context.engine())) {
            Candidates.inBatches(pools::forEach, BATCH, batch -> scores.addAll(Pool.scores(batch, scorer, corpus)));
        }
        Map<String, Double> least = new HashMap<>();
        for (int i = 0; i < pools.size(); i++) {
            least.merge(variants(pools.get(i)), pools.get(i).ownScore(scores.get(i)), Math::min);
        }
        return IntStream.range(0, pools.size())
                .mapToObj(i -> {
                    Pool pool = pools.get(i);
                    double most = least.getOrDefault(variants(pool), 0.0) - margin;
                    Set<Integer> relevant = pool.vote(scores.get(i), score -> score >= most);
                    return pool.only(passage -> !relevant.contains(passage));
                })
                .toList();
    }

    /** Selects the negatives of each question, with the thirds of their best sentences. */
    private List<Map<String, String>> negatives(List<Pool> pools, Dataset corpus, StageContext context) {
        PassageIds ids = corpus.passages().ids();
        List<Map<String, String>> negatives = new ArrayList<>();
        try (PoolScorer scorer = spans.retriever().scorer(corpus, context.engine())) {
            Candidates.<Pool>inBatches(pools::forEach, BATCH, batch -> {
                List<List<String>> passages = batch.stream()
                        .map(pool -> pool.others().stream().map(ids::id).toList())
                        .map(own -> place.equals(SAME) ? own : some(own))
                        .toList();
                List<Map<String, String>> placed = placed(batch, passages, scorer, context);
                for (int i = 0; i < batch.size(); i++) {
                    Map<String, String> own = placed.get(i);
                    if (place.equals(SAME)) {
                        own.values().retainAll(Set.of(batch.get(i).question().text(Candidate.POSITION)));
                    }
                    own.keySet().retainAll(some(own.keySet()));
                    negatives.add(own);
                }
            });
        }
        return negatives;
    }

    /** Returns the first passages, one of each document. */
    private List<String> some(Collection<String> passages) {
        Set<String> documents = new HashSet<>();
        return passages.stream()
                .filter(passage -> documents.add(documentOf(passage)))
                .limit(n)
                .toList();
    }

    /** Finds the third of the best sentence of each question's passages. */
    private static List<Map<String, String>> placed(
            List<Pool> batch, List<List<String>> passages, PoolScorer scorer, StageContext context) {
        Map<String, Sentences> sentences = new HashMap<>();
        List<TextScorer.Texts> texts = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            String question = batch.get(i).question().text(Candidate.QUESTION);
            passages.get(i).forEach(passage -> {
                Sentences own = sentences.computeIfAbsent(passage, id -> StageModels.sentences(id, context));
                texts.add(new TextScorer.Texts(question, own.all()));
            });
        }
        Iterator<List<TextScorer.TextScore>> scores =
                StageModels.scores(texts, scorer, context).iterator();
        return passages.stream()
                .map(some -> {
                    Map<String, String> thirds = new LinkedHashMap<>();
                    some.forEach(passage ->
                            thirds.put(passage, third(Objects.requireNonNull(sentences.get(passage)), scores.next())));
                    return thirds;
                })
                .toList();
    }

    /** Returns the third of the sentence with the largest score, the first of equal ones. */
    private static String third(Sentences passage, List<TextScorer.TextScore> scores) {
        int best = 0;
        for (int i = 1; i < scores.size(); i++) {
            best = scores.get(i).value() > scores.get(best).value() ? i : best;
        }
        Evidence place = Sentences.evidence(passage.text(), passage.spans().get(best), Evidence.UNKNOWN);
        return Candidate.POSITIONS.get(place.relativeBin(Candidate.POSITIONS.size()));
    }

    private void write(List<Pool> pools, List<Map<String, String>> negatives, Candidates.Sink out) {
        Set<String> few = new HashSet<>();
        for (int i = 0; i < pools.size(); i++) {
            if (negatives.get(i).size() < n) {
                few.add(variants(pools.get(i)));
            }
        }
        SequencedMap<String, Long> positions = new LinkedHashMap<>();
        Candidate.POSITIONS.forEach(position -> positions.put(position, 0L));
        for (int i = 0; i < pools.size(); i++) {
            Candidate question = pools.get(i).question();
            Map<String, String> own = negatives.get(i);
            if (few.contains(variants(pools.get(i)))) {
                out.drop(question, "too few hard negatives");
            } else {
                own.values().forEach(position -> positions.merge(position, 1L, Long::sum));
                out.keep(question.with(Candidate.NEGATIVES, List.copyOf(own.keySet()))
                        .with(Candidate.NEGATIVE_POSITIONS, List.copyOf(own.values())));
            }
        }
        out.note("best sentences of negatives", positions);
    }
}
