package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * What finds the candidates that a second stage scores.
 *
 * @param recipe the retriever's recipe
 * @param depth how many passages of each ranking at most
 */
record FirstStage(Recipe recipe, int depth) {
    static final List<String> FIELDS = List.of("first-stage", "depth");

    /** As the SQuAD-PosQ and PosIR papers re-rank. */
    private static final int DEPTH = 100;

    /**
     * Reads the fields of a recipe.
     *
     * @param usual the first stage of recipes that name none; empty where they must
     */
    static FirstStage of(Recipe second, String usual) {
        Fields fields = second.settings();
        int depth = fields.integer("depth", DEPTH);
        if (depth < 1) {
            throw fields.bad("depth", "is " + depth, "it must be at least 1");
        }
        Recipe first = Recipe.find(usual.isEmpty() ? fields.text("first-stage") : fields.text("first-stage", usual));
        // A reranker has one even where its recipe does not say which.
        if (first.name().equals(second.name())
                || first.settings().has("first-stage")
                || first.retriever() instanceof RerankRetriever) {
            throw fields.bad("first-stage", "is " + first.name(), "a first stage cannot have one itself");
        }
        return new FirstStage(first, depth);
    }

    Retriever retriever() {
        return recipe.retriever();
    }

    /** What both stages would read, as {@link SearchReport.Preview}. */
    SearchReport preview(Coverage second, Dataset dataset, Engine engine) {
        List<Coverage> coverages = new ArrayList<>(List.of(second));
        retriever()
                .preview()
                .ifPresent(first -> coverages.addAll(first.of(dataset, engine).coverages()));
        return SearchReport.ofCoverages(coverages);
    }

    Opened open(Dataset dataset, Engine engine) {
        return new Opened(this, retriever().open(dataset, engine).withoutExcluded());
    }

    /** A first stage that has seen its corpus. */
    record Opened(FirstStage stage, Searcher searcher) {
        Run search(List<Query> queries) {
            return searcher.search(queries, stage.depth);
        }

        /** What both stages tell; what both count of their effort is summed. */
        SearchReport report(Run pool, Coverage second, Map<String, Number> effort) {
            SearchReport first = searcher.report();
            List<Coverage> coverages = new ArrayList<>(List.of(second));
            coverages.addAll(first.coverages());
            return new SearchReport(
                    coverages,
                    new SearchReport.FirstStage(stage.recipe.name(), stage.depth, pool),
                    first.figures(),
                    SearchReport.together(first.effort(), effort));
        }
    }

    /** The passages that are candidates of any query. */
    static BitSet candidates(Run pool) {
        BitSet candidates = new BitSet();
        for (int q = 0; q < pool.queries().size(); q++) {
            Arrays.stream(pool.ranking(q).passages()).forEach(candidates::set);
        }
        return candidates;
    }
}
