package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Location;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * A recipe on its way to another process, without its first stage: the other process scores or encodes what it is given.
 *
 * @param file where it was read: folders in it count from there
 * @param line of the file
 * @param record as JSON
 */
record PortableRecipe(String file, long line, String record) implements Serializable {
    static PortableRecipe of(Recipe recipe) {
        Location where = recipe.settings().where();
        Path file = Files.exists(where.file()) ? where.file().toAbsolutePath().normalize() : where.file();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(recipe.record());
        FirstStage.FIELDS.forEach(fields::remove);
        String json = new String(Json.mapper().writeValueAsBytes(fields), StandardCharsets.UTF_8);
        return new PortableRecipe(file.toString(), where.line(), json);
    }

    Recipe recipe() {
        Location where = new Location(Path.of(file), line);
        return Recipe.read(new Fields(where, Json.mapper().readValue(record, new TypeReference<>() {})));
    }
}
