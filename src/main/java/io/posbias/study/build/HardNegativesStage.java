package io.posbias.study.build;

import io.posbias.base.json.Setting;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.run.TextScorer;
import io.posbias.study.build.text.TextSentences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
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

    /** A question with the passages that may be its negatives, best first. */
    private record Mined(Candidate question, List<Integer> passages) {
        String variants() {
            return question.fields().text(Candidate.SAME_AS, question.id());
        }
    }

    private static Query query(Candidate question, List<String> excluded) {
        return new Query(question.id(), question.text(Candidate.QUESTION), null, null, excluded, null);
    }

    /** A negative with the third of its best sentence. */
    private record Negative(String passage, String position) {}

    @Override
    public Set<String> requiredFields() {
        return place.equals(SAME) ? Set.of(Candidate.QUESTION, Candidate.POSITION) : Set.of(Candidate.QUESTION);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.NEGATIVES, Candidate.NEGATIVE_POSITIONS);
    }

    @Override
    public Object inputs(PipelineContext context) {
        List<Recipe> all = new ArrayList<>(models);
        all.add(first);
        all.add(spans);
        return StageModels.inputs(all, context);
    }

    @Override
    public Forecast forecast(Forecast before, PipelineContext context) {
        double pairs = before.candidates() * (top + 1.0) * models.size();
        return new Forecast(before.candidates(), Forecast.of(0).calls(), pairs);
    }

    @Override
    public void run(Candidates candidates, StageSink out, PipelineContext context) {
        ModelStore store = new ModelStore(context.session());
        store.require(first);
        store.require(spans);
        models.forEach(store::requireOwn);
        Dataset corpus = context.documents().dataset(context.pipeline().language());
        List<Mined> found = found(candidates, corpus, context);
        long searched = count(found);
        for (Recipe model : models) {
            found = irrelevant(model, found, corpus, context);
        }
        out.note("passages found", searched);
        out.note("left out as relevant", searched - count(found));
        write(found, negatives(found, corpus, context), out);
    }

    private static long count(List<Mined> found) {
        return found.stream().mapToLong(own -> own.passages().size()).sum();
    }

    private static String documentOf(String passage) {
        return new Passage(passage, "", "").document();
    }

    private List<Mined> found(Candidates candidates, Dataset corpus, PipelineContext context) {
        PassageIds ids = corpus.passages().ids();
        Map<String, List<String>> passages = new HashMap<>();
        IntStream.range(0, ids.size())
                .mapToObj(ids::id)
                .forEach(id -> passages.computeIfAbsent(documentOf(id), document -> new ArrayList<>())
                        .add(id));
        Map<String, Set<String>> documents = new HashMap<>();
        candidates.forEach(question -> documents
                .computeIfAbsent(question.text(Candidate.QUESTION), text -> new HashSet<>())
                .add(documentOf(question.document())));
        List<Mined> found = new ArrayList<>();
        try (Searcher searcher =
                first.retriever().open(corpus, context.engine()).withoutExcluded()) {
            candidates.forEachBatch(BATCH, batch -> {
                List<Query> queries = batch.stream()
                        .map(question -> query(
                                question,
                                documents.getOrDefault(question.text(Candidate.QUESTION), Set.of()).stream()
                                        .flatMap(document -> passages.getOrDefault(document, List.of()).stream())
                                        .toList()))
                        .toList();
                Run run = searcher.search(queries, top).run();
                for (int i = 0; i < batch.size(); i++) {
                    found.add(new Mined(
                            batch.get(i),
                            IntStream.of(run.ranking(i).passages())
                                    .filter(passage -> !context.documents()
                                            .text(ids.id(passage))
                                            .isBlank())
                                    .boxed()
                                    .toList()));
                }
            });
        }
        return found;
    }

    /** Leaves out the passages that a model scores as high as the lowest of the variants' own passages, less the margin. */
    private List<Mined> irrelevant(Recipe model, List<Mined> found, Dataset corpus, PipelineContext context) {
        PassageIds ids = corpus.passages().ids();
        List<Map<Integer, Double>> scores = new ArrayList<>();
        Map<String, Double> least = new HashMap<>();
        try (PoolScorer scorer = model.retriever().scorer(corpus, context.engine())) {
            for (int from = 0; from < found.size(); from += BATCH) {
                List<Mined> batch = found.subList(from, Math.min(found.size(), from + BATCH));
                Run scored = scored(batch, corpus, scorer);
                for (int i = 0; i < batch.size(); i++) {
                    Map<Integer, Double> own = byPassage(scored.ranking(i));
                    scores.add(own);
                    int gold = ids.ordinal(batch.get(i).question().document());
                    least.merge(batch.get(i).variants(), own.getOrDefault(gold, 0.0), Math::min);
                }
            }
        }
        return IntStream.range(0, found.size())
                .mapToObj(i -> {
                    Mined own = found.get(i);
                    double most = least.getOrDefault(own.variants(), 0.0) - margin;
                    return new Mined(
                            own.question(),
                            own.passages().stream()
                                    .filter(passage -> scores.get(i).getOrDefault(passage, 0.0) < most)
                                    .toList());
                })
                .toList();
    }

    private static Map<Integer, Double> byPassage(Ranking ranking) {
        Map<Integer, Double> scores = new HashMap<>();
        IntStream.range(0, ranking.size())
                .forEach(rank -> scores.put(ranking.passage(rank), (double) ranking.score(rank)));
        return scores;
    }

    private static Run scored(List<Mined> batch, Dataset corpus, PoolScorer scorer) {
        PassageIds ids = corpus.passages().ids();
        List<Query> queries =
                batch.stream().map(own -> query(own.question(), List.of())).toList();
        List<Ranking> pools = batch.stream()
                .map(own -> IntStream.concat(
                                IntStream.of(ids.ordinal(own.question().document())),
                                own.passages().stream().mapToInt(Integer::intValue))
                        .toArray())
                .map(pool -> Ranking.of(pool, new float[pool.length]))
                .toList();
        Dataset asked = new Dataset(corpus.card(), Map.of(), corpus.passages(), queries, new Qrels(Map.of()));
        return scorer.score(asked, new Run(ids, queries.stream().map(Query::id).toList(), pools))
                .run();
    }

    /** Selects the negatives of each question. */
    private List<List<Negative>> negatives(List<Mined> found, Dataset corpus, PipelineContext context) {
        PassageIds ids = corpus.passages().ids();
        List<List<Negative>> negatives = new ArrayList<>();
        try (PoolScorer scorer = spans.retriever().scorer(corpus, context.engine())) {
            for (int from = 0; from < found.size(); from += BATCH) {
                List<Mined> batch = found.subList(from, Math.min(found.size(), from + BATCH));
                List<List<String>> passages = batch.stream()
                        .map(own -> own.passages().stream().map(ids::id).toList())
                        .map(own -> place.equals(SAME) ? own : some(own))
                        .toList();
                List<List<Negative>> placed = placed(batch, passages, scorer, context);
                for (int i = 0; i < batch.size(); i++) {
                    Candidate question = batch.get(i).question();
                    List<Negative> fitting = placed.get(i).stream()
                            .filter(negative -> !place.equals(SAME)
                                    || negative.position().equals(question.text(Candidate.POSITION)))
                            .toList();
                    List<String> chosen =
                            some(fitting.stream().map(Negative::passage).toList());
                    negatives.add(fitting.stream()
                            .filter(negative -> chosen.contains(negative.passage()))
                            .toList());
                }
            }
        }
        return negatives;
    }

    /** Returns the first passages, one of each document. */
    private List<String> some(List<String> passages) {
        Set<String> documents = new HashSet<>();
        return passages.stream()
                .filter(passage -> documents.add(documentOf(passage)))
                .limit(n)
                .toList();
    }

    /** Finds the best sentence of each question's passages. */
    private static List<List<Negative>> placed(
            List<Mined> batch, List<List<String>> passages, PoolScorer scorer, PipelineContext context) {
        Map<String, Sentences> sentences = new HashMap<>();
        passages.stream().flatMap(List::stream).distinct().forEach(passage -> {
            String text = context.documents().text(passage);
            List<Span> spans = TextSentences.of(text, context.pipeline().language());
            sentences.put(passage, new Sentences(text, spans, " "));
        });
        List<List<Sentences>> own = passages.stream()
                .map(some -> some.stream()
                        .map(passage -> Objects.requireNonNull(sentences.get(passage)))
                        .toList())
                .toList();
        List<TextScorer.Texts> texts = IntStream.range(0, batch.size())
                .mapToObj(i -> new TextScorer.Texts(
                        batch.get(i).question().text(Candidate.QUESTION),
                        own.get(i).stream()
                                .flatMap(passage -> passage.all().stream())
                                .toList()))
                .toList();
        List<double[]> scores = StageModels.scores(texts, scorer, context);
        List<List<Negative>> placed = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            List<Negative> negatives = new ArrayList<>();
            int from = 0;
            for (int j = 0; j < own.get(i).size(); j++) {
                Sentences passage = own.get(i).get(j);
                Span best = passage.spans().get(best(scores.get(i), from, from + passage.size()) - from);
                negatives.add(new Negative(passages.get(i).get(j), position(passage.text(), best)));
                from += passage.size();
            }
            placed.add(negatives);
        }
        return placed;
    }

    /** Returns the index of the largest score of a range, the first of equal ones. */
    private static int best(double[] scores, int from, int to) {
        int best = from;
        for (int i = from; i < to; i++) {
            best = scores[i] > scores[best] ? i : best;
        }
        return best;
    }

    private static String position(String text, Span sentence) {
        Span points = CodePoints.fromUtf16(text, List.of(sentence)).getFirst();
        Evidence place =
                new Evidence(points.start(), points.end(), CodePoints.count(text), Evidence.UNKNOWN, List.of(), null);
        return Candidate.POSITIONS.get(place.relativeBin(Candidate.POSITIONS.size()));
    }

    private void write(List<Mined> found, List<List<Negative>> negatives, StageSink out) {
        Set<String> few = new HashSet<>();
        for (int i = 0; i < found.size(); i++) {
            if (negatives.get(i).size() < n) {
                few.add(found.get(i).variants());
            }
        }
        SequencedMap<String, Long> positions = new LinkedHashMap<>();
        Candidate.POSITIONS.forEach(position -> positions.put(position, 0L));
        for (int i = 0; i < found.size(); i++) {
            Candidate question = found.get(i).question();
            List<Negative> own = negatives.get(i);
            if (few.contains(found.get(i).variants())) {
                out.drop(question, "too few hard negatives");
                continue;
            }
            own.forEach(negative -> positions.merge(negative.position(), 1L, Long::sum));
            out.keep(question.with(
                            Candidate.NEGATIVES,
                            own.stream().map(Negative::passage).toList())
                    .with(
                            Candidate.NEGATIVE_POSITIONS,
                            own.stream().map(Negative::position).toList()));
        }
        out.note("best sentences of negatives", positions);
    }
}
