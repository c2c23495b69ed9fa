package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.Searcher;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds false negatives: other documents that answer a question. A first stage recalls documents, models score them,
 * and language models may judge the pairs that the models found.
 *
 * <p>Our choices, where the papers say nothing: sigmoid scores for FineWeb-PosQ, the question's own document is left
 * out, questions are processed in file order, and a question whose document was removed by an earlier one removes
 * nothing. An unreadable grade counts as irrelevant.
 *
 * @param top documents recalled per question
 * @param models one vote each
 * @param scale of their scores, see {@link StageModels}
 * @param rule {@code majority}: more than half of the models score the document at least {@code least}, as in
 *     FineWeb-PosQ (arXiv:2505.13950, section 3.2); {@code above-gold}: any model scores it above the question's own
 *     document, as in PosIR (arXiv:2601.08363, section 2)
 * @param least score of a vote with the rule majority; null: 0.5
 * @param judges roles; more than half must grade the pair 3 or 4
 * @param drop {@code queries} with false negatives, or the {@code documents} from the corpus together with their own
 *     questions
 */
record FalseNegativesStage(
        @Setting(usual = "bm25") Recipe first,
        @Setting(usual = "1000", least = 1) int top,
        @Setting(usual = "[]") List<Recipe> models,

        @Setting(words = {"sigmoid", "none"}) String scale,

        @Setting(words = {MAJORITY, "above-gold"}) String rule,

        @Nullable Double least,
        @Setting(usual = "[]") List<String> judges,
        @Setting(usual = "relevance") Prompt prompt,

        @Setting(words = {QUERIES, "documents"}) String drop)
        implements Stage {
    /** Reason in lines of removed documents. */
    static final String REMOVED = "answers a question that is not its own";

    private static final int BATCH = 1024;

    private static final int RELEVANT = 3;
    private static final double LEAST = 0.5;
    /** Pairs that were judged per question in FineWeb-PosQ: 854 of 26,356 questions. */
    private static final double JUDGED = 854.0 / 26_356;

    private static final String MAJORITY = "majority";
    private static final String QUERIES = "queries";

    FalseNegativesStage {
        new StageModels(models, scale);
        prompt.allow(JudgeStage.SLOTS);
        if (!rule.equals(MAJORITY) && least != null) {
            throw new Setting.Wrong("least", "has no meaning here", "it goes with rule: majority");
        }
    }

    private List<PromptedModel<Integer>> asked() {
        return judges.stream()
                .map(role -> new PromptedModel<>(role, prompt, ModelReplies::grade))
                .toList();
    }

    @Override
    public Set<String> requiredFields() {
        return Set.of(Candidate.QUESTION);
    }

    @Override
    public Object inputs(PipelineContext context) {
        List<Recipe> all = new ArrayList<>(models);
        all.add(first);
        Map<String, Object> inputs = new LinkedHashMap<>(StageModels.inputs(all, context));
        asked().forEach(judge -> inputs.put("judge " + judge.role(), judge.inputs(context)));
        return inputs;
    }

    @Override
    public Forecast forecast(Forecast before, PipelineContext context) {
        long calls = Math.round(before.candidates() * JUDGED * judges.size());
        CallEstimate estimate = calls == 0 ? CallEstimate.NONE : new CallEstimate(calls, calls, 0, null);
        return new Forecast(before.candidates(), estimate, before.candidates() * top * models.size());
    }

    /** Removes the dropped documents for later stages. */
    @Override
    public void finished(Path file, PipelineContext context) {
        Set<String> removed = new HashSet<>();
        new Candidates(Optional.of(file)).forEachLine(line -> {
            if (line.dropped().filter(REMOVED::equals).isPresent()) {
                removed.add(line.document());
            }
        });
        context.documents().remove(removed);
    }

    private record Found(String id, String question, int own, List<Integer> others) {
        Stream<Pair> pairs() {
            return others.stream().map(document -> new Pair(id, question, document));
        }
    }

    private void warn(PipelineContext context) {
        List<ChatSettings> voters =
                judges.stream().flatMap(role -> context.role(role).stream()).toList();
        long different = voters.stream()
                .map(chat -> chat.base() + " " + chat.model())
                .distinct()
                .count();
        if (different < voters.size()) {
            context.session()
                    .say("warning: the vote of " + String.join(", ", judges) + " is by " + Plural.of(different, "model")
                            + "; --llm ROLE=URL and --llm-model ROLE=NAME set the model of one role");
        }
    }

    @Override
    public void run(Candidates candidates, StageSink out, PipelineContext context) {
        warn(context);
        ModelStore store = new ModelStore(context.session());
        store.require(first);
        models.forEach(store::requireOwn);
        long[] counts = new long[3];
        List<Found> found = new ArrayList<>();
        Dataset corpus = context.documents().dataset(context.pipeline().language());
        try (Searcher searcher = first.retriever().open(corpus, context.engine())) {
            candidates.forEachBatch(BATCH, batch -> {
                Run recalled = recall(batch, corpus.passages().ids(), searcher);
                counts[0] += recalled.hits() - batch.size();
                found.addAll(found(batch, corpus, recalled, context));
            });
        }
        counts[1] = pairs(found);
        List<Found> confirmed =
                judges.isEmpty() ? found : judged(found, corpus.passages().ids(), context);
        counts[2] = pairs(confirmed);
        drop(candidates, confirmed, corpus.passages().ids(), out);
        out.note("pairs recalled", counts[0]);
        out.note("pairs found by models", counts[1]);
        if (!judges.isEmpty()) {
            out.note("pairs confirmed by judges", counts[2]);
        }
    }

    private static long pairs(List<Found> found) {
        return found.stream().mapToLong(one -> one.others().size()).sum();
    }

    private Run recall(List<Candidate> batch, PassageIds ids, Searcher searcher) {
        List<Query> queries = batch.stream()
                .map(one -> new Query(one.id(), one.text(Candidate.QUESTION), null))
                .toList();
        Run run = searcher.search(queries, top + 1).run();
        List<Ranking> rankings = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            int own = ids.ordinal(batch.get(i).document());
            IntStream others = IntStream.of(run.ranking(i).passages())
                    .filter(other -> other != own)
                    .limit(top);
            int[] pool = IntStream.concat(IntStream.of(own), others).toArray();
            rankings.add(Ranking.of(pool, new float[pool.length]));
        }
        return new Run(ids, queries.stream().map(Query::id).toList(), rankings);
    }

    private List<Found> found(List<Candidate> batch, Dataset corpus, Run recalled, PipelineContext context) {
        Dataset asked = new Dataset(
                corpus.card(),
                Map.of(),
                corpus.passages(),
                batch.stream()
                        .map(one -> new Query(one.id(), one.text(Candidate.QUESTION), null))
                        .toList(),
                new Qrels(Map.of()));
        List<Map<Integer, Integer>> votes = new ArrayList<>();
        batch.forEach(one -> votes.add(new HashMap<>()));
        for (Recipe recipe : models) {
            Retriever model = recipe.retriever();
            DoubleUnaryOperator scaled = new StageModels(models, scale).scale(model);
            Run scored;
            try (PoolScorer scorer = model.scorer(asked, context.engine())) {
                scored = scorer.score(asked, recalled).run();
            }
            for (int i = 0; i < batch.size(); i++) {
                vote(
                        scored.ranking(i),
                        corpus.passages().ids().ordinal(batch.get(i).document()),
                        scaled,
                        votes.get(i));
            }
        }
        int needed = rule.equals(MAJORITY) ? models.size() / 2 + 1 : 1;
        List<Found> found = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Candidate one = batch.get(i);
            List<Integer> others = votes.get(i).entrySet().stream()
                    .filter(vote -> vote.getValue() >= needed)
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
            found.add(new Found(
                    one.id(),
                    one.text(Candidate.QUESTION),
                    corpus.passages().ids().ordinal(one.document()),
                    others));
        }
        return found;
    }

    private void vote(Ranking ranking, int own, DoubleUnaryOperator scaled, Map<Integer, Integer> votes) {
        double needed = least == null ? LEAST : least;
        double gold = IntStream.range(0, ranking.size())
                .filter(rank -> ranking.passage(rank) == own)
                .mapToDouble(ranking::score)
                .findFirst()
                .orElseThrow();
        for (int rank = 0; rank < ranking.size(); rank++) {
            double score = ranking.score(rank);
            boolean isFound = rule.equals(MAJORITY) ? scaled.applyAsDouble(score) >= needed : score > gold;
            if (isFound && ranking.passage(rank) != own) {
                votes.merge(ranking.passage(rank), 1, Integer::sum);
            }
        }
    }

    private record Pair(String id, String question, int document) {}

    private List<Found> judged(List<Found> found, PassageIds ids, PipelineContext context) {
        Map<Pair, Integer> votes = new HashMap<>();
        for (PromptedModel<Integer> judge : asked()) {
            judge.<Pair>ask(
                    sink -> found.forEach(one -> one.pairs().forEach(sink)),
                    pair -> List.of(Map.of(
                            "question",
                            pair.question(),
                            "passage",
                            context.documents().text(ids.id(pair.document())))),
                    (pair, grades) ->
                            votes.merge(pair, grades.getFirst().value().orElse(0) >= RELEVANT ? 1 : 0, Integer::sum),
                    context);
        }
        return found.stream()
                .map(one -> new Found(
                        one.id(),
                        one.question(),
                        one.own(),
                        one.pairs()
                                .filter(pair -> votes.getOrDefault(pair, 0) * 2 > judges.size())
                                .map(Pair::document)
                                .toList()))
                .toList();
    }

    private void drop(Candidates candidates, List<Found> found, PassageIds ids, StageSink out) {
        boolean dropQueries = drop.equals(QUERIES);
        Set<Integer> removed = new LinkedHashSet<>();
        if (!dropQueries) {
            for (Found one : found) {
                if (!removed.contains(one.own())) {
                    removed.addAll(one.others());
                }
            }
        }
        Iterator<Found> next = found.iterator();
        candidates.forEach(candidate -> {
            Found own = next.next();
            if (removed.contains(own.own())) {
                out.drop(candidate, "its document answers another question");
            } else if (dropQueries && !own.others().isEmpty()) {
                out.drop(candidate, "other documents answer it", listed(own.others(), ids));
            } else {
                out.keep(candidate);
            }
        });
        removed.forEach(document -> out.drop(
                Candidate.document(new Fields(Location.of(Path.of("")), Map.of()), ids.id(document)), REMOVED));
    }

    private static String listed(List<Integer> documents, PassageIds ids) {
        return String.join(", ", documents.stream().map(ids::id).toList());
    }
}
