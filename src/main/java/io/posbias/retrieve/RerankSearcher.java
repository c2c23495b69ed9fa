package io.posbias.retrieve;

import io.posbias.PosbiasException;
import io.posbias.Progress;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedScorer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Scores the first stage's candidates, a window of queries at a time. */
final class RerankSearcher implements Searcher {
    /** Pairs of a window: enough to sort by length, few enough for memory. */
    private static final int WINDOW_PAIRS = 4_096;

    private final Recipe recipe;
    private final Dataset dataset;
    private final CachedScorer scorer;
    private final FirstStage firstStage;
    private final Searcher first;
    private final Engine engine;
    private final Map<String, Map<Integer, Integer>> cut = new HashMap<>();
    private boolean known = true;
    private long pairs;
    private long pairsCut;
    private long queriesCut;
    private Account account = Account.NONE;

    RerankSearcher(
            Recipe recipe, Dataset dataset, CachedScorer scorer, FirstStage firstStage, Searcher first, Engine engine) {
        this.recipe = recipe;
        this.dataset = dataset;
        this.scorer = scorer;
        this.firstStage = firstStage;
        this.first = first;
        this.engine = engine;
    }

    @Override
    public Run search(List<Query> queries, int k) {
        Run pool = first.search(queries, firstStage.depth());
        BitSet wanted = new BitSet();
        for (int q = 0; q < queries.size(); q++) {
            Arrays.stream(pool.ranking(q).passages()).forEach(wanted::set);
        }
        List<Ranking> rankings = new ArrayList<>(queries.size());
        try (PassageFile passages = new PassageFile(dataset, wanted);
                Progress.Step step = engine.progress().start("re-rank with " + recipe.name(), queries.size())) {
            int from = 0;
            while (from < queries.size()) {
                int to = windowEnd(pool, from);
                rankings.addAll(window(queries, pool, from, to, k, passages));
                step.advance(to - from);
                from = to;
            }
        }
        account = account(pool);
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    private static int windowEnd(Run pool, int from) {
        int to = from + 1;
        long sum = pool.ranking(from).size();
        while (to < pool.queries().size() && sum + pool.ranking(to).size() <= WINDOW_PAIRS) {
            sum += pool.ranking(to++).size();
        }
        return to;
    }

    private List<Ranking> window(List<Query> queries, Run pool, int from, int to, int k, PassageFile passages) {
        List<String> texts = new ArrayList<>();
        List<CachedScorer.Text> queryKeys = new ArrayList<>();
        List<Integer> ordinals = new ArrayList<>();
        for (int q = from; q < to; q++) {
            CachedScorer.Text key =
                    new CachedScorer.Text(Role.QUERY, queries.get(q).text());
            for (int ordinal : pool.ranking(q).passages()) {
                texts.add(queries.get(q).text());
                queryKeys.add(key);
                ordinals.add(ordinal);
            }
        }
        List<CachedScorer.Text> passageKeys =
                ordinals.stream().map(passages::key).toList();
        List<CachedScorer.Score> scores;
        try {
            scores = scorer.score(new CachedScorer.Pairs(
                    texts, queryKeys, passageKeys, pair -> passages.content(ordinals.get(pair))));
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

    private Account account(Run pool) {
        List<Coverage> coverages = new ArrayList<>();
        int maxTokens = recipe.settings().integer("max-tokens", 0);
        coverages.add(Coverage.ofPairs(recipe.name(), maxTokens, pairs, pairsCut, cut, queriesCut, known));
        Account before = first.account();
        coverages.addAll(before.coverages());
        Account.FirstStage stage = new Account.FirstStage(firstStage.recipe().name(), firstStage.depth(), pool);
        return new Account(coverages, stage, before.figures(), Account.together(before.effort(), scorer.effort()));
    }

    @Override
    public Account account() {
        return account;
    }

    @Override
    public void close() {
        first.close();
        scorer.close();
    }
}
