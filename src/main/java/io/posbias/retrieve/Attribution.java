package io.posbias.retrieve;

import io.posbias.encode.Engine;
import java.util.Optional;

/** Whether a retriever's score is a sum over the passage's tokens. */
public sealed interface Attribution {
    /** Of retrievers around a model. */
    Attribution WRAPPED = new None("wraps a model whose scores it changes");

    /** Of a recipe's retriever; loads nothing. */
    static Attribution of(Recipe recipe) {
        Optional<Model> model = recipe.retriever().model();
        if (model.isPresent() && model.get() instanceof Model.Encoder encoder) {
            return encoder.attribution();
        }
        return recipe.wrapped().isEmpty() ? new None("gives one number for query and passage") : WRAPPED;
    }

    /**
     * It is not.
     *
     * @param why what the model has or does, to be behind its name
     */
    record None(String why) implements Attribution {}

    /** It is. */
    @FunctionalInterface
    non-sealed interface Exact extends Attribution {
        Attributor open(Engine engine);
    }
}
