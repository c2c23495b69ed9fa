package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.encode.CallEstimate;
import io.posbias.encode.CallLimit;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.PairReader;
import io.posbias.encode.PairScorer;
import io.posbias.encode.Role;
import io.posbias.encode.api.ApiReranker;
import io.posbias.encode.api.RerankSettings;
import io.posbias.encode.cache.CachedScorer;
import io.posbias.encode.check.ScorerCheck;
import io.posbias.encode.model.CausalReranker;
import io.posbias.encode.model.CrossEncoder;
import io.posbias.encode.model.GraphScorer;
import io.posbias.encode.onnx.ModelFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Orders what a first stage finds anew, by reading query and passage together.
 *
 * @param own the reranker's files
 * @param givesLogits whether its recipe leaves scores as the model gives them
 * @param opener loads the scorer
 * @param tells opens what tells how much of pairs it reads; null for services
 */
record RerankRetriever(
        Recipe recipe,
        List<ModelFiles> own,
        boolean givesLogits,
        FirstStage firstStage,
        Function<Engine, PairScorer> opener,
        @Nullable Function<Engine, PairReader> tells)
        implements Retriever {
    /** The papers' first stage where nothing else is said. */
    private static final String FIRST = "bm25";

    static RerankRetriever ofCrossEncoder(Recipe recipe) {
        ModelFiles files = CrossEncoder.check(recipe.name(), recipe.settings());
        return of(
                recipe,
                CrossEncoder.FIELDS,
                List.of(files),
                CrossEncoder.givesLogits(recipe.settings()),
                engine -> CrossEncoder.open(recipe.name(), recipe.settings(), engine),
                engine -> CrossEncoder.reader(recipe.name(), recipe.settings(), engine));
    }

    static RerankRetriever ofCausal(Recipe recipe) {
        ModelFiles files = CausalReranker.check(recipe.name(), recipe.settings());
        return of(
                recipe,
                CausalReranker.FIELDS,
                List.of(files),
                CausalReranker.givesLogits(recipe.settings()),
                engine -> CausalReranker.open(recipe.name(), recipe.settings(), engine),
                engine -> CausalReranker.reader(recipe.name(), recipe.settings(), engine));
    }

    static RerankRetriever ofService(Recipe recipe) {
        Fields fields = recipe.settings();
        RerankSettings service = RerankSettings.of(fields);
        return of(recipe, RerankSettings.FIELDS, List.of(), false, engine -> new ApiReranker(service, engine), null);
    }

    private static RerankRetriever of(
            Recipe recipe,
            List<String> fields,
            List<ModelFiles> files,
            boolean givesLogits,
            Function<Engine, PairScorer> opener,
            @Nullable Function<Engine, PairReader> tells) {
        recipe.refuseOthers(FirstStage.FIELDS, fields);
        return new RerankRetriever(recipe, files, givesLogits, FirstStage.of(recipe, FIRST), opener, tells);
    }

    @Override
    public List<ModelFiles> files() {
        List<ModelFiles> all = new ArrayList<>(own);
        all.addAll(firstStage.retriever().files());
        return all;
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        CachedScorer scorer = scorer(engine);
        try {
            return new Reranker(dataset, scorer, firstStage.open(dataset, engine), engine);
        } catch (RuntimeException | Error failure) {
            scorer.close();
            throw failure;
        }
    }

    @Override
    public RetrievedRun score(Dataset dataset, Run pool, Engine engine) {
        try (PoolScorer scorer = scorer(dataset, engine)) {
            return scorer.score(dataset, pool);
        }
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        CachedScorer scorer = scorer(engine);
        return new PoolScorer() {
            @Override
            public RetrievedRun score(Dataset texts, Run pool) {
                FirstStage.Opened given = new FirstStage.Opened(firstStage, new Pool.Given(pool));
                // Not closed: the model stays loaded for the next pool.
                Searcher searcher = new Reranker(texts, scorer, given, engine);
                return RetrievedRun.by(searcher, Pool.queries(texts, pool), Integer.MAX_VALUE);
            }

            @Override
            public void close() {
                scorer.close();
            }
        };
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Engine engine) {
        Reading.FirstCalls first = reading().estimateFirst(dataset, engine).orElseThrow();
        // Only a service needs no files.
        return own.isEmpty() ? first.then(pool -> estimate(dataset, pool, engine)) : first.calls();
    }

    @Override
    public CallEstimate estimate(Dataset dataset, Run pool, Engine engine) {
        if (!own.isEmpty()) {
            return CallEstimate.NONE;
        }
        FirstStage.Opened given = new FirstStage.Opened(firstStage, new Pool.Given(pool));
        try (Reranker reranker = new Reranker(dataset, scorer(engine), given, engine)) {
            return reranker.estimate(Pool.queries(dataset, pool));
        }
    }

    @Override
    public Reading reading() {
        return new Reading(Reading.Unit.PAIRS, firstStage.depth(), firstStage.recipe());
    }

    @Override
    public Optional<Function<Engine, PairScorer>> pairScorer() {
        return Optional.of(opener);
    }

    @Override
    public Optional<SearchReport.Preview> preview() {
        return Optional.ofNullable(tells).map(open -> (dataset, engine) -> {
            try (PairReader pairs = open.apply(engine)) {
                return firstStage.preview(Coverage.read(recipe, dataset, pairs, engine), dataset, engine);
            }
        });
    }

    /**
     * Where the queries end whose pairs are scored together: whole queries, at least one.
     *
     * @param candidates of each query
     * @param from the first of the queries
     * @param window pairs that make a good piece of work
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
        PairScorer pairs =
                engine.workers().any() && !own.isEmpty() ? new SpreadScorer(recipe, engine) : opener.apply(engine);
        return new CachedScorer(pairs, recipe.name(), engine);
    }

    @Override
    public Optional<ModelCheck> check(Engine engine) {
        try (PairScorer scorer = opener.apply(engine)) {
            if (scorer instanceof GraphScorer graph) {
                return Optional.of(ScorerCheck.of(graph, engine));
            }
            engine.say(recipe.name() + ": one call of its service, with a query and two short texts");
            return Optional.of(ScorerCheck.ofService(scorer));
        }
    }

    /** Scores the first stage's candidates, a window of queries at a time. */
    private final class Reranker implements Searcher {
        private final Dataset dataset;
        private final CachedScorer scorer;
        private final FirstStage.Opened first;
        private final Engine engine;
        private final Map<String, Map<Integer, Integer>> cut = new HashMap<>();
        private boolean known = true;
        private long pairs;
        private long pairsCut;
        private long queriesCut;
        private SearchReport report = SearchReport.NONE;

        Reranker(Dataset dataset, CachedScorer scorer, FirstStage.Opened first, Engine engine) {
            this.dataset = dataset;
            this.scorer = scorer;
            this.first = first;
            this.engine = engine;
        }

        @Override
        public Run search(List<Query> queries, int k) {
            Run pool = first.search(queries);
            List<Ranking> rankings = new ArrayList<>(queries.size());
            try (PassageFile passages = new PassageFile(dataset, FirstStage.candidates(pool));
                    Progress.Step step = engine.progress().start("re-rank with " + recipe.name(), queries.size())) {
                int[] candidates = pool.sizes();
                int from = 0;
                while (from < queries.size()) {
                    int to = windowEnd(candidates, from, scorer.window());
                    rankings.addAll(window(queries, pool, from, to, k, passages));
                    step.advance(to - from);
                    from = to;
                }
            }
            Coverage coverage = new Coverage(
                    recipe.name(),
                    recipe.maxTokens(),
                    Coverage.Unit.PAIRS,
                    pairs,
                    pairsCut,
                    queriesCut,
                    known,
                    new int[0],
                    new HashMap<>(cut));
            report = first.report(pool, coverage, scorer.effort());
            return Run.of(dataset, queries, rankings);
        }

        CallEstimate estimate(List<Query> queries) {
            Run pool = first.search(queries);
            CallEstimate sum = CallEstimate.NONE;
            try (PassageFile passages = new PassageFile(dataset, FirstStage.candidates(pool))) {
                int[] candidates = pool.sizes();
                int to;
                for (int from = 0; from < queries.size(); from = to) {
                    to = windowEnd(candidates, from, scorer.window());
                    sum = sum.plus(scorer.estimate(pairs(queries, pool, from, to, passages)));
                }
            }
            return sum;
        }

        private List<Ranking> window(List<Query> queries, Run pool, int from, int to, int k, PassageFile passages) {
            List<CachedScorer.Score> scores;
            try {
                scores = scorer.score(pairs(queries, pool, from, to, passages));
            } catch (CallLimit.ReachedException reached) {
                throw reached;
            } catch (PosbiasException failure) {
                throw new PosbiasException(
                        "re-ranking failed between query " + queries.get(from).id() + " and query "
                                + queries.get(to - 1).id() + ": " + failure.getMessage(),
                        failure);
            }
            List<Ranking> rankings = new ArrayList<>();
            int next = 0;
            for (int q = from; q < to; q++) {
                int[] candidates = pool.ranking(q).passages();
                float[] values = new float[candidates.length];
                boolean queryCut = false;
                for (int i = 0; i < candidates.length; i++) {
                    CachedScorer.Score score = scores.get(next++);
                    values[i] = score.score();
                    queryCut |= score.queryCut();
                    note(queries.get(q), candidates[i], passages.seenOfText(candidates[i], score.seen()));
                }
                queriesCut += queryCut ? 1 : 0;
                rankings.add(Ranking.of(candidates, values).top(k));
            }
            return rankings;
        }

        private static CachedScorer.Pairs pairs(List<Query> queries, Run pool, int from, int to, PassageFile passages) {
            List<String> texts = new ArrayList<>();
            List<CachedScorer.Text> queryKeys = new ArrayList<>();
            List<Integer> ordinals = new ArrayList<>();
            for (int q = from; q < to; q++) {
                String text = queries.get(q).text();
                CachedScorer.Text key = new CachedScorer.Text(Role.QUERY, text);
                for (int ordinal : pool.ranking(q).passages()) {
                    texts.add(text);
                    queryKeys.add(key);
                    ordinals.add(ordinal);
                }
            }
            return new CachedScorer.Pairs(
                    texts,
                    queryKeys,
                    ordinals.stream().map(passages::key).toList(),
                    pair -> passages.content(ordinals.get(pair)));
        }

        private void note(Query query, int passage, int seen) {
            pairs++;
            pairsCut += seen >= 0 ? 1 : 0;
            // Only of judged passages will be asked what was seen; millions of others are counted.
            Judgments judgments = dataset.qrels().of(query.id());
            if (seen >= 0 && judgments != null && judgments.grade(passage) > 0) {
                cut.computeIfAbsent(query.id(), id -> new HashMap<>()).put(passage, seen);
            }
            known &= seen != Coverage.UNKNOWN;
        }

        @Override
        public SearchReport report() {
            return report;
        }

        @Override
        public void close() {
            first.searcher().close();
            scorer.close();
        }
    }
}
