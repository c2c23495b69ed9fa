package io.posbias.model.retrieve;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;

/** Reads the recipes inside a recipe's record: names, files or records. */
@FunctionalInterface
public interface RecipeReader extends Json.FieldReader<Recipe> {
    /**
     * Binds a record that may hold recipes.
     *
     * @throws io.posbias.base.json.BadInputException on a wrong setting
     */
    default <T> T settings(Fields fields, Class<T> type) {
        return Json.settings(fields, type, Recipe.class, this);
    }
}
