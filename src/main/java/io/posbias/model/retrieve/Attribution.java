package io.posbias.model.retrieve;

import io.posbias.model.encode.Engine;
import java.util.Optional;

/** Decomposition of a retriever's score into a sum over the passage's tokens. */
public sealed interface Attribution {
    /** Reason for retrievers around a model. */
    Attribution WRAPPED = new None("wraps a model whose scores it changes");

    /** Returns the attribution of a recipe's retriever, without loading it. */
    static Attribution of(Recipe recipe) {
        Optional<Model> model = recipe.retriever().model();
        if (model.isPresent() && model.get() instanceof Model.Encoder encoder) {
            return encoder.attribution();
        }
        return recipe.wrapped().isEmpty() ? new None("gives one number for query and passage") : WRAPPED;
    }

    /**
     * Scores cannot be decomposed.
     *
     * @param why predicate that follows the model's name
     */
    record None(String why) implements Attribution {}

    /** Scores can be decomposed. */
    @FunctionalInterface
    non-sealed interface Exact extends Attribution {
        Attributor open(Engine engine);
    }
}
