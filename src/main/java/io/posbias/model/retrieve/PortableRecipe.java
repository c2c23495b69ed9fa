package io.posbias.model.retrieve;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Serialisable recipe for a worker, without its first stage.
 *
 * @param file of the recipe, the base of relative folders
 * @param record as JSON
 */
record PortableRecipe(String file, long line, String record) implements Serializable {
    static PortableRecipe of(Recipe recipe) {
        Location where = recipe.settings().where();
        Path file = Files.exists(where.file()) ? where.file().toAbsolutePath().normalize() : where.file();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(recipe.record());
        fields.keySet().removeAll(Json.names(FirstStage.class));
        String json = new String(Json.mapper().writeValueAsBytes(fields), StandardCharsets.UTF_8);
        return new PortableRecipe(file.toString(), where.line(), json);
    }

    Recipe recipe() {
        Location where = new Location(Path.of(file), line);
        return RecipeBook.read(new Fields(where, Json.mapper().readValue(record, new TypeReference<>() {})));
    }
}
