package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

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

    /** Scores the candidates of a pool by a search of all passages; missing ones score 0. */
    static RetrievedRun restricted(Dataset dataset, Run pool, Searcher searcher) {
        return restricted(dataset, pool, searcher, Run.MOST_HITS);
    }

    /** @param most as in {@link #inBlocks} */
    static RetrievedRun restricted(Dataset dataset, Run pool, Searcher searcher, int most) {
        float[] scores = new float[dataset.passages().size()];
        return inBlocks(dataset, queries(dataset, pool), most, queries -> {
            RetrievedRun found = searcher.search(queries, scores.length);
            List<Ranking> rankings = queries.stream()
                    .map(query -> restricted(found.run().of(query.id()), pool.of(query.id()), scores))
                    .toList();
            return new RetrievedRun(Run.of(dataset, queries, rankings), found.report());
        });
    }

    /** Scores every passage. */
    static RetrievedRun every(Dataset corpus, List<Query> asked, int k, PoolScorer scorer, int most) {
        int passages = corpus.passages().size();
        return inBlocks(corpus, asked, most, queries -> {
            List<Ranking> every = queries.stream()
                    .map(query -> Ranking.of(IntStream.range(0, passages).toArray(), new float[passages]))
                    .toList();
            return scorer.score(corpus, Run.of(corpus, queries, every)).top(k);
        });
    }

    /**
     * Ranks all passages for blocks of queries, and reports on all queries.
     *
     * @param most maximum hits in memory, except for a single query
     */
    private static RetrievedRun inBlocks(
            Dataset dataset, List<Query> queries, int most, Function<List<Query>, RetrievedRun> search) {
        int block = Math.max(1, most / Math.max(1, dataset.passages().size()));
        List<Ranking> rankings = new ArrayList<>();
        SearchReport report = SearchReport.NONE;
        for (int from = 0; from < queries.size(); from += block) {
            RetrievedRun found = search.apply(queries.subList(from, Math.min(from + block, queries.size())));
            IntStream.range(0, found.run().queries().size())
                    .mapToObj(found.run()::ranking)
                    .forEach(rankings::add);
            report =
                    found.report().with(report.truncations().plus(found.report().truncations()));
        }
        return new RetrievedRun(Run.of(dataset, queries, rankings), report);
    }

    /**
     * @param scores of all passages, 0 before and after
     */
    private static Ranking restricted(Ranking all, Ranking pool, float[] scores) {
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
