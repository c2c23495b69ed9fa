package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Candidates that are given, not searched for: a run whose scores do not count. */
final class Pool {
    private Pool() {}

    static List<Query> queries(Dataset dataset, Run pool) {
        Map<String, Query> byId = new HashMap<>();
        dataset.queries().forEach(query -> byId.put(query.id(), query));
        List<Query> queries = new ArrayList<>();
        for (String id : pool.queries()) {
            Query query = byId.get(id);
            if (query == null) {
                throw new IllegalArgumentException("query " + id + " is not one of " + dataset.name());
            }
            queries.add(query);
        }
        return queries;
    }

    /** What a searcher gives to the candidates of a pool, with what it tells. */
    static RetrievedRun restricted(Dataset dataset, Run pool, Searcher searcher) {
        Run run = restrict(dataset, pool, searcher, TwoStageSearcher.MOST_HITS);
        return new RetrievedRun(run, searcher.report());
    }

    /**
     * What a searcher gives to the candidates of a pool; those that it does not find score 0. Queries go in blocks: each
     * ranks all passages, and many such rankings would not fit in memory.
     *
     * @param most hits held at a time, or as many as one query has
     */
    static Run restrict(Dataset dataset, Run pool, Searcher searcher, int most) {
        List<Query> queries = queries(dataset, pool);
        int passages = dataset.passages().size();
        int block = Math.max(1, most / Math.max(1, passages));
        float[] scores = new float[passages];
        List<Ranking> rankings = new ArrayList<>();
        for (int from = 0; from < queries.size(); from += block) {
            Run found = searcher.search(queries.subList(from, Math.min(from + block, queries.size())), passages);
            for (int q = 0; q < found.queries().size(); q++) {
                rankings.add(restrict(found.ranking(q), pool.ranking(from + q), scores));
            }
        }
        return new Run(pool.passages(), pool.queries(), rankings);
    }

    /** @param scores of all passages, 0 before and after */
    private static Ranking restrict(Ranking all, Ranking pool, float[] scores) {
        for (int rank = 0; rank < all.size(); rank++) {
            scores[all.passage(rank)] = all.score(rank);
        }
        int[] candidates = pool.passages();
        float[] own = new float[candidates.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = scores[candidates[i]];
        }
        for (int rank = 0; rank < all.size(); rank++) {
            scores[all.passage(rank)] = 0;
        }
        return Ranking.of(candidates, own);
    }
}
