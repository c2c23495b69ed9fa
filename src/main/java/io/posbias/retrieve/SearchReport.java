package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a search tells besides its rankings.
 *
 * @param coverages what each model saw of the texts, the last stage first
 * @param firstStage what a reranker was given; null where there is one stage
 * @param figures numbers about the search itself, such as an approximate index's recall; the same when run again
 * @param effort what it took, such as texts encoded or dollars; differs from run to run
 */
public record SearchReport(
        List<Coverage> coverages,
        @Nullable FirstStage firstStage,
        Map<String, Double> figures,
        Map<String, Number> effort) {
    /** The figure that says how many vectors, or windows, a passage has on average; without it one. */
    public static final String VECTORS = "vectors_per_passage";

    /**
     * The figure that says how many bytes the vectors of a passage have, where they are not those of one vector times how many
     * there are; 0 where a recipe does not say how big its vectors are.
     */
    public static final String BYTES = "vector_bytes_per_passage";

    /** Nothing to tell. */
    public static final SearchReport NONE = new SearchReport(List.of(), null, Map.of(), Map.of());

    /**
     * The candidates that a reranker was given.
     *
     * @param model the first stage's recipe
     * @param depth how many passages of it at most
     * @param pool its rankings
     */
    public record FirstStage(String model, int depth, Run pool) {}

    /** Tells what reports of searches will say of what the models read, and how many vectors there are. */
    @FunctionalInterface
    public interface Preview {
        /**
         * Reads a corpus with the models' tokenizers; no model is loaded and nothing is searched. A first stage is taken to hand
         * on every passage. Of models that read pairs, those of a query and a relevant passage count; of a benchmark without
         * judgements each passage, with an empty query.
         */
        SearchReport of(Dataset dataset, Engine engine);
    }

    /** A report of what was read alone. */
    static SearchReport ofCoverages(List<Coverage> coverages) {
        return new SearchReport(coverages, null, Map.of(), Map.of());
    }

    /** The effort of two stages together; what both count is summed. */
    public static Map<String, Number> together(Map<String, Number> first, Map<String, Number> second) {
        Map<String, Number> sum = new LinkedHashMap<>(second);
        first.forEach((name, value) -> sum.merge(name, value, (one, other) -> one.doubleValue() + other.doubleValue()));
        return sum;
    }

    /** Copies what it is given. */
    public SearchReport {
        coverages = List.copyOf(coverages);
        figures = new LinkedHashMap<>(figures);
        effort = new LinkedHashMap<>(effort);
    }
}
