package io.posbias.build;

import io.posbias.Setting;
import io.posbias.evaluate.ModelStore;
import io.posbias.retrieve.Model;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.Retriever;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * Models that score texts for a stage, rerankers or any retrievers. On the scale {@code sigmoid} scores of rerankers whose
 * recipes leave logits are brought between 0 and 1; other scores stay as they are.
 *
 * @param recipes in the order of the settings
 * @param scale {@code none} or {@code sigmoid}
 */
record StageModels(List<Recipe> recipes, String scale) {
    StageModels {
        if (recipes.isEmpty()) {
            throw new Setting.Wrong(
                    "models", "names no model", "give a list of recipes; 'posbias models list' has them");
        }
        if (recipes.stream().map(Recipe::name).distinct().count() < recipes.size()) {
            throw new Setting.Wrong("models", "names a model twice", "each has one vote");
        }
    }

    /** What scores depend on: the models' fingerprints by their names. */
    static Map<String, String> inputs(List<Recipe> recipes, PipelineContext context) {
        Map<String, String> inputs = new LinkedHashMap<>();
        recipes.forEach(recipe -> inputs.put(
                recipe.name(), ModelStore.fingerprint(recipe, context.session().home())));
        return inputs;
    }

    /** What a model's scores become on the scale. */
    DoubleUnaryOperator scale(Retriever retriever) {
        boolean logits = retriever.model().orElse(null) instanceof Model.Reranker reranker && reranker.givesLogits();
        return scale.equals("sigmoid") && logits ? logit -> 1 / (1 + Math.exp(-logit)) : score -> score;
    }
}
