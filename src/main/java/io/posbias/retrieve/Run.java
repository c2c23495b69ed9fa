package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.PassageIds;
import io.posbias.dataset.Query;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rankings of many queries over one corpus. A query without a ranking was answered with nothing. */
public final class Run {
    private final PassageIds passages;
    private final List<String> queries;
    private final List<Ranking> rankings;
    private final Map<String, Ranking> byQuery;

    /**
     * @param passages the corpus that ordinals point into
     * @param queries ids of the queries, each once
     * @param rankings their rankings, in the same order
     */
    public Run(PassageIds passages, List<String> queries, List<Ranking> rankings) {
        if (queries.size() != rankings.size()) {
            throw new IllegalArgumentException(queries.size() + " queries, " + rankings.size() + " rankings");
        }
        this.passages = passages;
        this.queries = List.copyOf(queries);
        this.rankings = List.copyOf(rankings);
        this.byQuery = HashMap.newHashMap(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            if (byQuery.put(queries.get(i), rankings.get(i)) != null) {
                throw new IllegalArgumentException("query " + queries.get(i) + " ranked twice");
            }
        }
    }

    /** What was found for queries of a benchmark, in their order. */
    static Run of(Dataset dataset, List<Query> queries, List<Ranking> rankings) {
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    /** The corpus that ordinals point into. */
    public PassageIds passages() {
        return passages;
    }

    /** The ids of the queries, in the order in which they were asked. */
    public List<String> queries() {
        return queries;
    }

    /** The ranking of the query at a place in {@link #queries()}. */
    public Ranking ranking(int query) {
        return rankings.get(query);
    }

    /** How many passages each ranking has, in the order of {@link #queries()}. */
    public int[] sizes() {
        return rankings.stream().mapToInt(Ranking::size).toArray();
    }

    /** The ranking of a query; empty when the run has none. */
    public Ranking of(String query) {
        return byQuery.getOrDefault(query, Ranking.EMPTY);
    }

    /** The same without what a benchmark's queries leave out; this run where they leave nothing out. */
    public Run withoutExcluded(Dataset dataset) {
        return dataset.mostExcluded() == 0 ? this : withoutExcluded(dataset.queries());
    }

    Run withoutExcluded(List<Query> asked) {
        Map<String, List<String>> excluded = new HashMap<>();
        asked.forEach(query -> excluded.put(query.id(), query.excluded()));
        return new Run(
                passages,
                queries,
                IntStream.range(0, queries.size())
                        .mapToObj(query -> rankings.get(query)
                                .without(excluded.getOrDefault(queries.get(query), List.of()).stream()
                                        .map(passages::ordinal)
                                        .collect(Collectors.toSet())))
                        .toList());
    }

    /** The same with the first {@code k} hits of each ranking. */
    public Run top(int k) {
        return new Run(
                passages,
                queries,
                rankings.stream().map(ranking -> ranking.top(k)).toList());
    }

    /** How many hits all rankings have together. */
    public long hits() {
        return rankings.stream().mapToLong(Ranking::size).sum();
    }

    /** The passages that are in any ranking. */
    BitSet candidates() {
        BitSet candidates = new BitSet();
        for (int query = 0; query < queries().size(); query++) {
            Arrays.stream(ranking(query).passages()).forEach(candidates::set);
        }
        return candidates;
    }
}
