package io.posbias.rank;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of a search besides its rankings.
 *
 * @param firstStage a reranker's candidates; null with one stage
 * @param searchStats reproducible numbers of the search: those of {@link SearchStat} and others, like the recall of an
 *     approximate index
 * @param usage texts encoded, dollars and other counts, which differ between runs
 */
public record SearchReport(
        Truncations truncations,
        @Nullable FirstStage firstStage,
        Map<String, Double> searchStats,
        Map<String, Number> usage) {
    /** Key in {@code usage}: texts that a model encoded, which were not cached. */
    public static final String ENCODED = "texts_encoded";

    public static final SearchReport NONE = new SearchReport(Truncations.NONE, null, Map.of(), Map.of());

    /**
     * Candidates of a reranker.
     *
     * @param model the first stage's recipe
     * @param depth maximum candidates per query
     */
    public record FirstStage(String model, int depth, Run pool) {}

    public static SearchReport of(TruncationReport truncation) {
        return new SearchReport(Truncations.of(truncation), null, Map.of(), Map.of());
    }

    /** Returns this with other truncation. */
    public SearchReport with(Truncations other) {
        return new SearchReport(other, firstStage, searchStats, usage);
    }

    /** Returns this with other statistics. */
    public SearchReport with(Map<String, Double> stats) {
        return new SearchReport(truncations, firstStage, stats, usage);
    }

    /** Returns the usage of two stages, summed by key. */
    public static Map<String, Number> together(Map<String, Number> first, Map<String, Number> second) {
        Map<String, Number> sum = new LinkedHashMap<>(second);
        first.forEach((name, value) -> sum.merge(name, value, (one, other) -> one.doubleValue() + other.doubleValue()));
        return sum;
    }

    public SearchReport {
        searchStats = new LinkedHashMap<>(searchStats);
        usage = new LinkedHashMap<>(usage);
    }
}
