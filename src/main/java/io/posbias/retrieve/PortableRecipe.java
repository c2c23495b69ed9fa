package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Location;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.type.TypeReference;

/**
 * A recipe on its way to another process.
 *
 * @param file where it was read: folders in it count from there
 * @param line likewise
 * @param record as JSON
 */
record PortableRecipe(String file, long line, String record) implements Serializable {
    static PortableRecipe of(Recipe recipe) {
        Location where = recipe.settings().where();
        Path file = Files.exists(where.file()) ? where.file().toAbsolutePath() : where.file();
        String record = new String(Json.mapper().writeValueAsBytes(recipe.record()), StandardCharsets.UTF_8);
        return new PortableRecipe(file.toString(), where.line(), record);
    }

    Recipe recipe() {
        return Recipe.read(new Fields(
                new Location(Path.of(file), line), Json.mapper().readValue(record, new TypeReference<>() {})));
    }
}
