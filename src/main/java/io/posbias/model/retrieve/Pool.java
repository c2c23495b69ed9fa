package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Given candidates: a run whose scores are ignored. */
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

    /** Scores the candidates of a pool by a search of all passages, with the search's report. */
    static RetrievedRun restricted(Dataset dataset, Run pool, Searcher searcher) {
        return restrict(dataset, pool, searcher, Run.MOST_HITS);
    }

    /**
     * Scores the candidates of a pool by a search of all passages; missing ones score 0. Queries go in blocks, since
     * each ranks all passages.
     *
     * @param most maximum hits in memory, except for a single query
     */
    static RetrievedRun restrict(Dataset dataset, Run pool, Searcher searcher, int most) {
        List<Query> queries = queries(dataset, pool);
        int passages = dataset.passages().size();
        int block = Math.max(1, most / Math.max(1, passages));
        float[] scores = new float[passages];
        List<Ranking> rankings = new ArrayList<>();
        Truncations truncations = Truncations.NONE;
        for (int from = 0; from < queries.size(); from += block) {
            Run found = searcher.search(queries.subList(from, Math.min(from + block, queries.size())), passages);
            truncations = truncations.plus(searcher.report().truncations());
            for (int q = 0; q < found.queries().size(); q++) {
                rankings.add(restrict(found.ranking(q), pool.ranking(from + q), scores));
            }
        }
        return new RetrievedRun(
                new Run(pool.passages(), pool.queries(), rankings),
                searcher.report().with(truncations));
    }

    /**
     * @param scores of all passages, 0 before and after
     */
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
