package io.posbias.model.retrieve;

import io.posbias.base.json.Fields;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A kind of recipe. Found through {@link ServiceLoader}: another jar on the class path adds a kind by
 * naming its provider in {@code META-INF/services/io.posbias.model.retrieve.RetrieverProvider}; see docs/extending.md.
 */
public interface RetrieverProvider {
    String kind();

    /**
     * Binds a recipe to the kind's Java record, with {@link RecipeReader#settings}. Loads nothing heavy.
     *
     * @param recipes reads the recipes inside this one
     * @throws io.posbias.base.json.BadInputException on a wrong setting
     */
    Recipe bind(Fields recipe, RecipeReader recipes);

    /** Returns the fields that options can set: {@code --depth} sets {@code depth}. */
    default List<String> options() {
        return List.of();
    }

    /** Returns the fields that name wrapped recipes, first the one of {@code MODEL+KIND}. */
    default List<String> wrappedIn() {
        return List.of();
    }
}
