package io.posbias.build;

import io.posbias.Fields;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Model;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * Models that score texts for a stage: {@code models}, recipes by name or file, rerankers or any retrievers, and {@code scale},
 * {@code none} or {@code sigmoid}. The sigmoid brings scores of rerankers whose recipes leave logits between 0 and 1; other
 * scores stay as they are.
 *
 * @param recipes in the order of the settings
 * @param sigmoid whether logits are brought between 0 and 1
 */
record StageModels(List<Recipe> recipes, boolean sigmoid) {
    static final List<String> FIELDS = List.of("models", "scale");

    private static final String SIGMOID = "sigmoid";

    /**
     * Reads both settings.
     *
     * @param usual the scale unless the settings name one
     */
    static StageModels of(Fields settings, String usual) {
        List<Recipe> recipes =
                settings.texts("models").stream().map(Recipe::find).toList();
        if (recipes.isEmpty()) {
            throw settings.bad("models", "names no model", "give a list of recipes; 'posbias models list' has them");
        }
        if (recipes.stream().map(Recipe::name).distinct().count() < recipes.size()) {
            throw settings.bad("models", "names a model twice", "each has one vote");
        }
        boolean sigmoid =
                settings.oneOf("scale", usual, List.of("none", SIGMOID)).equals(SIGMOID);
        return new StageModels(recipes, sigmoid);
    }

    /** What scores depend on: the models' fingerprints by their names. */
    static Map<String, String> inputs(List<Recipe> recipes, Workshop workshop) {
        Map<String, String> inputs = new LinkedHashMap<>();
        recipes.forEach(recipe -> inputs.put(
                recipe.name(), ModelStore.fingerprint(recipe, workshop.session().home())));
        return inputs;
    }

    /** What a model's scores become on the scale. */
    DoubleUnaryOperator scale(Retriever retriever) {
        boolean logits = retriever.model().orElse(null) instanceof Model.Reranker reranker && reranker.givesLogits();
        return sigmoid && logits ? logit -> 1 / (1 + Math.exp(-logit)) : score -> score;
    }
}
