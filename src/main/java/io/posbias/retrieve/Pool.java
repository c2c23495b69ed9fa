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

    /** The queries of a pool, in its order. */
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

    /** The hits of a run that are in a pool; candidates that the run lacks score 0. */
    static Run restrict(Run found, Run pool) {
        float[] scores = new float[pool.passages().size()];
        List<Ranking> rankings = new ArrayList<>();
        for (int q = 0; q < pool.queries().size(); q++) {
            Ranking all = found.ranking(q);
            for (int rank = 0; rank < all.size(); rank++) {
                scores[all.passage(rank)] = all.score(rank);
            }
            int[] candidates = pool.ranking(q).passages();
            float[] own = new float[candidates.length];
            for (int i = 0; i < own.length; i++) {
                own[i] = scores[candidates[i]];
            }
            rankings.add(Ranking.of(candidates, own));
            for (int rank = 0; rank < all.size(); rank++) {
                scores[all.passage(rank)] = 0;
            }
        }
        return new Run(pool.passages(), pool.queries(), rankings);
    }

    /** Stands for a first stage that has found the pool. */
    record Found(Run pool) implements Searcher {
        @Override
        public Run search(List<Query> queries, int k) {
            return pool;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
