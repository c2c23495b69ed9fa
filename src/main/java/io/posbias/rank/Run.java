package io.posbias.rank;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rankings of many queries over one corpus. A query without a ranking has no hits. */
public final class Run {
    /** Maximum hits in memory: 512 MB. */
    public static final int MOST_HITS = 1 << 26;

    private final PassageIds passages;
    private final List<String> queries;
    private final List<Ranking> rankings;
    private final Map<String, Ranking> byQuery;

    /**
     * @param passages of the ordinals
     * @param queries distinct ids
     * @param rankings in the order of the queries
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

    public static Run of(Dataset dataset, List<Query> queries, List<Ranking> rankings) {
        return new Run(dataset.passages().ids(), queries.stream().map(Query::id).toList(), rankings);
    }

    public PassageIds passages() {
        return passages;
    }

    /** Returns the ids of the queries, in their order. */
    public List<String> queries() {
        return queries;
    }

    /** Returns the ranking of the query at an index of {@link #queries()}. */
    public Ranking ranking(int query) {
        return rankings.get(query);
    }

    /** Returns the number of hits per query, in the order of {@link #queries()}. */
    public int[] sizes() {
        return rankings.stream().mapToInt(Ranking::size).toArray();
    }

    /** Returns the ranking of a query; empty if the run has none. */
    public Ranking of(String query) {
        return byQuery.getOrDefault(query, Ranking.EMPTY);
    }

    /** Removes the passages that a benchmark's queries exclude. */
    public Run withoutExcluded(Dataset dataset) {
        return dataset.mostExcluded() == 0 ? this : withoutExcluded(dataset.queries());
    }

    public Run withoutExcluded(List<Query> asked) {
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

    /** Removes passages from all rankings. */
    public Run without(Set<Integer> left) {
        return left.isEmpty()
                ? this
                : new Run(
                        passages,
                        queries,
                        rankings.stream().map(ranking -> ranking.without(left)).toList());
    }

    /** Keeps the first {@code k} hits of each ranking. */
    public Run top(int k) {
        return new Run(
                passages,
                queries,
                rankings.stream().map(ranking -> ranking.top(k)).toList());
    }

    public long hits() {
        return rankings.stream().mapToLong(Ranking::size).sum();
    }

    /** Returns the passages of all rankings. */
    public BitSet candidates() {
        BitSet candidates = new BitSet();
        for (int query = 0; query < queries().size(); query++) {
            Arrays.stream(ranking(query).passages()).forEach(candidates::set);
        }
        return candidates;
    }
}
