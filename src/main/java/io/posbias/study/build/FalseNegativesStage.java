package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.PassageIds;
import io.posbias.model.chat.ChatSettings;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.Searcher;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.Ranking;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
    public Object inputs(StageContext context) {
        Map<String, Object> inputs = new LinkedHashMap<>(StageModels.inputs(context, models, first));
        asked().forEach(judge -> inputs.put("judge " + judge.role(), judge.inputs(context)));
        return inputs;
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        long calls = Math.round(before.candidates() * JUDGED * judges.size());
        CallEstimate estimate = calls == 0 ? CallEstimate.NONE : new CallEstimate(calls, calls, 0, null);
        return new Forecast(before.candidates(), estimate, before.candidates() * top * models.size());
    }

    /** Removes the dropped documents for later stages. */
    @Override
    public void finished(Path file, StageContext context) {
        Set<String> removed = new HashSet<>();
        new Candidates(Optional.of(file)).forEachLine(line -> {
            if (line.dropped().filter(REMOVED::equals).isPresent()) {
                removed.add(line.document());
            }
        });
        context.documents().remove(removed);
    }

    private void warn(StageContext context) {
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
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        warn(context);
        ModelStore store = new ModelStore(context.session());
        store.require(first);
        models.forEach(store::requireOwn);
        long[] recalled = {0};
        List<Pool> found = new ArrayList<>();
        Dataset corpus = context.corpus();
        PassageIds ids = corpus.passages().ids();
        try (Searcher searcher =
                first.retriever().open(corpus, context.engine()).withoutExcluded()) {
            candidates.forEachBatch(BATCH, batch -> {
                List<Pool> pools = Pool.search(batch, top, searcher, ids, one -> List.of(one.document()));
                recalled[0] += Pool.count(pools);
                found.addAll(voted(pools, corpus, context));
            });
        }
        out.note("pairs recalled", recalled[0]);
        out.note("pairs found by models", Pool.count(found));
        List<Pool> confirmed = judges.isEmpty() ? found : judged(found, ids, context);
        drop(confirmed, ids, out);
        if (!judges.isEmpty()) {
            out.note("pairs confirmed by judges", Pool.count(confirmed));
        }
    }

    private List<Pool> voted(List<Pool> pools, Dataset corpus, StageContext context) {
        List<Map<Integer, Integer>> votes = new ArrayList<>();
        pools.forEach(pool -> votes.add(new TreeMap<>()));
        double enough = least == null ? LEAST : least;
        for (Recipe recipe : models) {
            Retriever model = recipe.retriever();
            DoubleUnaryOperator scaled = new StageModels(models, scale).scale(model);
            List<Ranking> scores;
            try (PoolScorer scorer = model.scorer(corpus, context.engine())) {
                scores = Pool.scores(pools, scorer, corpus);
            }
            for (int i = 0; i < pools.size(); i++) {
                double gold = pools.get(i).ownScore(scores.get(i));
                Map<Integer, Integer> own = votes.get(i);
                pools.get(i)
                        .vote(
                                scores.get(i),
                                rule.equals(MAJORITY)
                                        ? score -> scaled.applyAsDouble(score) >= enough
                                        : score -> score > gold)
                        .forEach(other -> own.merge(other, 1, Integer::sum));
            }
        }
        int needed = rule.equals(MAJORITY) ? models.size() / 2 + 1 : 1;
        return IntStream.range(0, pools.size())
                .mapToObj(i -> {
                    Map<Integer, Integer> own = votes.get(i);
                    own.values().removeIf(count -> count < needed);
                    return new Pool(pools.get(i).question(), pools.get(i).own(), List.copyOf(own.keySet()));
                })
                .toList();
    }

    private record Pair(Candidate question, int document) {}

    private static Stream<Pair> pairs(Pool pool) {
        return pool.others().stream().map(document -> new Pair(pool.question(), document));
    }

    private List<Pool> judged(List<Pool> found, PassageIds ids, StageContext context) {
        Map<Pair, Integer> votes = new HashMap<>();
        for (PromptedModel<Integer> judge : asked()) {
            judge.<Pair>ask(
                    sink -> found.forEach(pool -> pairs(pool).forEach(sink)),
                    pair -> List.of(JudgeStage.slots(
                            pair.question(), context.documents().text(ids.id(pair.document())))),
                    (pair, grades) ->
                            votes.merge(pair, grades.getFirst().value().orElse(0) >= RELEVANT ? 1 : 0, Integer::sum),
                    context);
        }
        return found.stream()
                .map(pool ->
                        pool.only(other -> votes.getOrDefault(new Pair(pool.question(), other), 0) * 2 > judges.size()))
                .toList();
    }

    private void drop(List<Pool> found, PassageIds ids, Candidates.Sink out) {
        boolean dropQueries = drop.equals(QUERIES);
        Set<Integer> removed = new LinkedHashSet<>();
        for (Pool pool : found) {
            if (!dropQueries && !removed.contains(pool.own())) {
                removed.addAll(pool.others());
            }
        }
        for (Pool pool : found) {
            if (removed.contains(pool.own())) {
                out.drop(pool.question(), "its document answers another question");
            } else if (dropQueries && !pool.others().isEmpty()) {
                out.drop(
                        pool.question(),
                        "other documents answer it",
                        String.join(", ", pool.others().stream().map(ids::id).toList()));
            } else {
                out.keep(pool.question());
            }
        }
        removed.forEach(document -> out.drop(
                Candidate.document(new Fields(Location.of(Path.of("")), Map.of()), ids.id(document)), REMOVED));
    }
}
