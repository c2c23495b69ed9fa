package io.posbias.retrieve;

import io.posbias.Fields;
import java.util.List;

/**
 * What finds the candidates that a second stage scores.
 *
 * @param recipe the retriever's recipe
 * @param depth how many passages of each ranking at most
 */
record FirstStage(Recipe recipe, int depth) {
    /** The fields that say it. */
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

    /** The retriever. */
    Retriever retriever() {
        return recipe.retriever();
    }
}
