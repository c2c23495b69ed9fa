package io.posbias.model.retrieve;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.PairReader;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.api.ApiReranker;
import io.posbias.model.encode.api.RerankSettings;
import io.posbias.model.encode.cache.CachedScorer;
import io.posbias.model.encode.model.CausalReranker;
import io.posbias.model.encode.model.CrossEncoder;
import io.posbias.model.encode.model.GraphScorer;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.SearchStat;
import io.posbias.rank.TruncationReport;
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reranks a first stage's candidates by reading query and passage together.
 *
 * @param truncationProbe opens the truncation probe; null for services
 */
record RerankRetriever(
        Recipe recipe,
        Model.Reranker reranker,
        FirstStage stage,
        @Nullable Function<Engine, PairReader> truncationProbe)
        implements Retriever {
    interface GraphRecipe extends Recipe {
        GraphScorer.ScorerSettings model();

        FirstStage stage();

        @Override
        default int maxTokens() {
            return model().maxTokens();
        }

        @Override
        default RerankRetriever retriever() {
            GraphScorer.ScorerSettings model = model();
            Model.Reranker reranker = new Model.Reranker(
                    List.of(model.files()), false, engine -> new GraphScorer(model, engine), model.givesLogits());
            return new RerankRetriever(this, reranker, stage(), model::reader);
        }
    }

    record CrossEncoderRecipe(
            @JsonUnwrapped RecipeCard card,
            @JsonUnwrapped CrossEncoder model,
            @JsonUnwrapped FirstStage stage) implements GraphRecipe {}

    /** Recipe of a language model that reranks. */
    record CausalRecipe(
            @JsonUnwrapped RecipeCard card,
            @JsonUnwrapped CausalReranker model,
            @JsonUnwrapped FirstStage stage) implements GraphRecipe {}

    /** Recipe of a service that reranks. */
    record ServiceRecipe(
            @JsonUnwrapped RecipeCard card,
            @JsonUnwrapped RerankSettings service,
            @JsonUnwrapped FirstStage stage) implements Recipe {
        @Override
        public int maxTokens() {
            return Objects.requireNonNullElse(service.maxTokens(), 0);
        }

        @Override
        public RerankRetriever retriever() {
            Model.Reranker model =
                    new Model.Reranker(List.of(), true, engine -> new ApiReranker(service, engine), false);
            return new RerankRetriever(this, model, stage, null);
        }
    }

    @Override
    public Optional<Model> model() {
        return Optional.of(reranker);
    }

    @Override
    public Optional<FirstStage> firstStage() {
        return Optional.of(stage);
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return stage.open(dataset, () -> scorer(dataset, engine), engine);
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        return new PairPool(scorer(engine), engine);
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        if (pool == null) {
            CallEstimate first = stage.calls(dataset, engine);
            return engine.calls().includes(reranker.isService())
                    ? first.plus(calls(dataset, stage.candidates(dataset, engine), engine))
                    : first;
        }
        if (!engine.calls().includes(reranker.isService())) {
            return CallEstimate.NONE;
        }
        try (PairPool pairs = new PairPool(scorer(engine), engine)) {
            return pairs.calls(dataset, pool);
        }
    }

    @Override
    public Optional<Preview> preview() {
        return Optional.ofNullable(truncationProbe).map(open -> (dataset, engine) -> {
            try (PairReader pairs = open.apply(engine)) {
                SearchReport own = SearchReport.of(new TruncationProbe(recipe, dataset, engine).pairs(pairs));
                return stage.preview(own, dataset, engine);
            }
        });
    }

    /**
     * Returns the end of a window of whole queries, at least one.
     *
     * @param candidates number per query
     * @param window pairs of a window
     */
    static int windowEnd(int[] candidates, int from, int window) {
        int to = from + 1;
        long sum = candidates[from];
        while (to < candidates.length && sum + candidates[to] <= window) {
            sum += candidates[to++];
        }
        return to;
    }

    private CachedScorer scorer(Engine engine) {
        PairScorer pairs = engine.workers().any() && !reranker.files().isEmpty()
                ? new SpreadScorer(recipe, engine)
                : reranker.opener().apply(engine);
        return new CachedScorer(pairs, recipe.name(), engine);
    }

    /** Scores candidates, a window of queries at a time. */
    private final class PairPool implements PoolScorer {
        private final CachedScorer scorer;
        private final Engine engine;

        PairPool(CachedScorer scorer, Engine engine) {
            this.scorer = scorer;
            this.engine = engine;
        }

        @Override
        public RetrievedRun score(Dataset texts, Run given) {
            Set<Integer> blank = blank(texts);
            Run pool = given.without(blank);
            List<Query> queries = Pool.queries(texts, pool);
            Seen seen = new Seen(texts);
            List<Ranking> rankings = new ArrayList<>(queries.size());
            try (PassageFile passages = new PassageFile(texts, pool.candidates(), engine.session());
                    Progress.Step step = engine.progress()
                            .start(
                                    "score pairs with " + recipe.name(),
                                    IntStream.of(pool.sizes()).sum())) {
                int[] candidates = pool.sizes();
                int to;
                for (int from = 0; from < candidates.length; from = to) {
                    to = windowEnd(candidates, from, scorer.window());
                    List<CachedScorer.PairScore> scores =
                            scores(queries, from, to, pairs(queries, pool, from, to, passages), step);
                    int next = 0;
                    for (int q = from; q < to; q++) {
                        int[] own = pool.ranking(q).passages();
                        rankings.add(
                                ranking(queries.get(q), own, scores.subList(next, next + own.length), passages, seen));
                        next += own.length;
                    }
                }
            }
            Map<String, Double> stats = new LinkedHashMap<>();
            SearchStat.BLANK.put(blank.size(), stats);
            SearchReport report =
                    new SearchReport(Truncations.of(seen.truncation(recipe)), null, stats, scorer.usage());
            return new RetrievedRun(Run.of(texts, queries, rankings), report);
        }

        /** Blank passages, if a service is not to be asked about them. */
        private Set<Integer> blank(Dataset texts) {
            Set<Integer> blank = new HashSet<>();
            if (reranker.isService()) {
                texts.passages().inFileOrder((ordinal, passage) -> {
                    if (passage.content().isBlank()) {
                        blank.add(ordinal);
                    }
                });
            }
            return blank;
        }

        private List<CachedScorer.PairScore> scores(
                List<Query> queries, int from, int to, CachedScorer.KeyedPairs pairs, Progress.Step step) {
            try {
                return scorer.score(pairs, step);
            } catch (CallLimit.ReachedException reached) {
                throw reached;
            } catch (PosbiasException failure) {
                throw new PosbiasException(
                        "re-ranking failed between query " + queries.get(from).id() + " and query "
                                + queries.get(to - 1).id() + ": " + failure.getMessage(),
                        failure);
            }
        }

        private static Ranking ranking(
                Query query, int[] candidates, List<CachedScorer.PairScore> scores, PassageFile passages, Seen seen) {
            float[] values = new float[candidates.length];
            boolean queryCut = false;
            for (int i = 0; i < candidates.length; i++) {
                CachedScorer.PairScore score = scores.get(i);
                values[i] = score.score();
                queryCut |= score.queryCut();
                seen.add(query, candidates[i], passages.seenOfText(candidates[i], score.seen()));
            }
            seen.queriesCut += queryCut ? 1 : 0;
            return Ranking.of(candidates, values);
        }

        CallEstimate calls(Dataset texts, Run given) {
            Run pool = given.without(blank(texts));
            List<Query> queries = Pool.queries(texts, pool);
            CallEstimate sum = CallEstimate.NONE;
            try (PassageFile passages = new PassageFile(texts, pool.candidates(), engine.session())) {
                int[] candidates = pool.sizes();
                int to;
                for (int from = 0; from < candidates.length; from = to) {
                    to = windowEnd(candidates, from, scorer.window());
                    sum = sum.plus(scorer.estimate(pairs(queries, pool, from, to, passages)));
                }
            }
            return sum;
        }

        private static CachedScorer.KeyedPairs pairs(
                List<Query> queries, Run pool, int from, int to, PassageFile passages) {
            List<String> texts = new ArrayList<>();
            List<CachedScorer.KeyedText> queryKeys = new ArrayList<>();
            List<Integer> ordinals = new ArrayList<>();
            for (int q = from; q < to; q++) {
                String text = queries.get(q).text();
                CachedScorer.KeyedText key = new CachedScorer.KeyedText(Role.QUERY, text);
                for (int ordinal : pool.ranking(q).passages()) {
                    texts.add(text);
                    queryKeys.add(key);
                    ordinals.add(ordinal);
                }
            }
            return new CachedScorer.KeyedPairs(
                    texts,
                    queryKeys,
                    ordinals.stream().map(passages::key).toList(),
                    pair -> passages.content(ordinals.get(pair)));
        }

        @Override
        public void close() {
            scorer.close();
        }
    }

    /** Truncation of the pairs of one pool. */
    private static final class Seen {
        private final Dataset texts;
        private final Map<String, Map<Integer, Integer>> cut = new HashMap<>();
        private boolean known = true;
        private long pairs;
        private long pairsCut;
        private long queriesCut;

        Seen(Dataset texts) {
            this.texts = texts;
        }

        void add(Query query, int passage, int seen) {
            pairs++;
            pairsCut += seen >= 0 ? 1 : 0;
            // Truncation is kept for judged passages; millions of others are only counted.
            Judgments judgments = texts.qrels().of(query.id());
            if (seen >= 0 && judgments != null && judgments.grade(passage) > 0) {
                cut.computeIfAbsent(query.id(), id -> new HashMap<>()).put(passage, seen);
            }
            known &= seen != TruncationReport.UNKNOWN;
        }

        TruncationReport truncation(Recipe recipe) {
            return new TruncationReport(
                    recipe.name(),
                    recipe.maxTokens(),
                    TruncationReport.Unit.PAIRS,
                    pairs,
                    pairsCut,
                    queriesCut,
                    known,
                    new int[0],
                    cut);
        }
    }
}
