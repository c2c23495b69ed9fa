package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.Vectors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Report of a search besides its rankings.
 *
 * @param firstStage a reranker's candidates; null with one stage
 * @param searchStats reproducible numbers of the search, for example the recall of an approximate index
 * @param usage texts encoded, dollars and other counts, which differ between runs
 */
public record SearchReport(
        Truncations truncations,
        @Nullable FirstStage firstStage,
        Map<String, Double> searchStats,
        Map<String, Number> usage) {
    /** Key in {@code searchStats}: average vectors or windows per passage; 1 if missing. */
    public static final String VECTORS = "vectors_per_passage";

    /** Key in {@code searchStats}: vector bytes per passage, if not vectors times the size of one; 0 if unknown. */
    public static final String BYTES = "vector_bytes_per_passage";

    /** Key in {@code searchStats}: passages, or windows of them, whose vector is zero; missing for none. */
    public static final String ZEROS = "zero_vectors";

    /** Key in {@code searchStats}: queries whose vector is zero; missing for none. */
    public static final String QUERY_ZEROS = "zero_query_vectors";

    /** Key in {@code searchStats}: blank passages, which a service is not asked about; missing for none. */
    public static final String BLANK = "blank_passages";

    /** Key in {@code searchStats}: texts over a service's limit, cut by an estimate of their tokens; missing for none. */
    public static final String CUT_BY_ESTIMATE = "texts_cut_by_estimate";

    /** Key in {@code searchStats}: texts over a service's limit, cut by the tokenizer of its recipe; missing for none. */
    public static final String CUT_BY_TOKENIZER = "texts_cut_by_tokenizer";

    /** Key in {@code searchStats}: queries of a run whose scores rise with the rank; missing for none. */
    public static final String RISING = "queries_with_rising_scores";

    /** Key in {@code searchStats}: other queries of a run whose scores contradict the ranks; missing for none. */
    public static final String CONTRADICTING = "queries_with_contradicting_ranks";

    /** Key in {@code searchStats}: queries of a run that are not judged, and so not scored; missing for none. */
    public static final String OTHER_QUERIES = "queries_not_judged";

    /** Key in {@code searchStats}: judged queries that a run lacks; missing for none. */
    public static final String LACKING = "queries_without_hits";

    /** Keys of counts that have a sentence of their own. */
    public static final Set<String> NOTED = Set.of(
            ZEROS,
            QUERY_ZEROS,
            BLANK,
            CUT_BY_ESTIMATE,
            CUT_BY_TOKENIZER,
            RISING,
            CONTRADICTING,
            OTHER_QUERIES,
            LACKING);

    /** Keys of numbers that are summed over several models. */
    public static final Set<String> COUNTS = Set.of(ZEROS, QUERY_ZEROS, BLANK, CUT_BY_ESTIMATE, CUT_BY_TOKENIZER);

    /** Keys of numbers that do not depend on the depth of a search. */
    public static final Set<String> OF_VECTORS =
            Set.of(VECTORS, BYTES, ZEROS, QUERY_ZEROS, BLANK, CUT_BY_ESTIMATE, CUT_BY_TOKENIZER);

    public static final SearchReport NONE = new SearchReport(Truncations.NONE, null, Map.of(), Map.of());

    /**
     * Candidates of a reranker.
     *
     * @param model the first stage's recipe
     * @param depth maximum candidates per query
     */
    public record FirstStage(String model, int depth, Run pool) {}

    /** Truncation measured before a search. */
    @FunctionalInterface
    public interface Preview {
        /**
         * Reads a corpus with the models' tokenizers, without models and search. A first stage counts as returning
         * every passage. Cross-encoders read the pairs of query and relevant passage; without judgements, each passage
         * with an empty query.
         */
        SearchReport of(Dataset dataset, Engine engine);
    }

    /** Returns statistics of a search with the counts of zero vectors, if there are any. */
    static Map<String, Double> withZeros(Map<String, Double> stats, Vectors passages, Vectors queries) {
        Map<String, Double> all = new LinkedHashMap<>(stats);
        putZeros(ZEROS, passages, all);
        putZeros(QUERY_ZEROS, queries, all);
        return all;
    }

    private static void putZeros(String name, Vectors vectors, Map<String, Double> stats) {
        int zeros = vectors.zeros();
        if (zeros > 0) {
            stats.put(name, (double) zeros);
        }
    }

    static SearchReport of(TruncationReport truncation) {
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
