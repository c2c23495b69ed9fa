package io.posbias.model.strategy;

import io.posbias.model.retrieve.Recipe;
import java.util.List;

/** Recipe around another one. */
public interface Wrapper extends Recipe {
    Recipe model();

    @Override
    default List<Recipe> wrapped() {
        return List.of(model());
    }

    @Override
    default int maxTokens() {
        return model().maxTokens();
    }

    @Override
    default int dimension() {
        return model().dimension();
    }
}
