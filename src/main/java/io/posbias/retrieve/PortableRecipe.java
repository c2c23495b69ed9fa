package io.posbias.retrieve;

import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Location;
import io.posbias.encode.Engine;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.ModelSource;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * A recipe on its way to another process. What finds its candidates stays here: the other process scores or encodes what it is
 * given.
 *
 * @param file where it was read: folders in it count from there
 * @param sent whether that is a path in the home of who gets it
 * @param line of the file
 * @param record as JSON
 */
record PortableRecipe(String file, boolean sent, long line, String record) implements Serializable {
    /** Where in its home a process has files that were sent to it and are elsewhere here. */
    private static final String ELSEWHERE = "sent";

    private static final String SOURCE = "source";
    private static final String FOLDER = "folder";

    /** The recipe, whose files are sent to those who do not see them. */
    static PortableRecipe of(Recipe recipe, Engine engine) {
        Location where = recipe.settings().where();
        boolean isFile = Files.exists(where.file());
        Path file = isFile ? where.file().toAbsolutePath().normalize() : where.file();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(recipe.record());
        FirstStage.FIELDS.forEach(fields::remove);
        if (engine.workers().seeFiles()) {
            return new PortableRecipe(file.toString(), false, where.line(), text(fields));
        }
        Path home = engine.home();
        for (ModelFiles model : read(file, where.line(), text(fields)).files()) {
            model.requireAll(home);
            model.folder(home).ifPresent(folder -> send(model, folder, engine));
            model.jar()
                    .map(jar -> jar.in(home))
                    .ifPresent(jar ->
                            engine.workers().send(jar, home.relativize(jar).toString()));
        }
        if (!isFile) {
            return new PortableRecipe(file.toString(), false, where.line(), text(fields));
        }
        String place = elsewhere(file);
        engine.workers().send(file, place);
        return new PortableRecipe(place, true, where.line(), text(fromFile(fields, file)));
    }

    /** Files of the home come into the other's; those of a folder keep their way from the recipe's file. */
    private static void send(ModelFiles model, Path folder, Engine engine) {
        boolean own = model.source().kind() == ModelSource.Kind.FOLDER;
        for (String name : model.all()) {
            Path file = folder.resolve(name);
            engine.workers()
                    .send(
                            file,
                            own
                                    ? elsewhere(file)
                                    : engine.home().relativize(file).toString());
        }
    }

    private static String elsewhere(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        return Path.of(ELSEWHERE)
                .resolve(Objects.requireNonNull(whole.getRoot()).relativize(whole))
                .toString();
    }

    /** The same fields with every folder counted from the recipe's file, so that both can be elsewhere. */
    private static Map<String, @Nullable Object> fromFile(Map<String, @Nullable Object> fields, Path file) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        fields.forEach((name, value) ->
                all.put(name, value instanceof Map<?, ?> inner ? inside(name, inner, file) : value));
        return all;
    }

    private static Map<String, @Nullable Object> inside(String field, Map<?, ?> fields, Path file) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        fields.forEach((name, value) -> all.put(String.valueOf(name), value));
        if (field.equals(SOURCE) && all.get(FOLDER) instanceof String folder) {
            Path parent = Objects.requireNonNull(file.getParent());
            Path way = parent.relativize(parent.resolve(folder).normalize());
            all.put(FOLDER, Path.of(".").resolve(way).toString());
        }
        return fromFile(all, file);
    }

    private static String text(Map<String, @Nullable Object> fields) {
        return new String(Json.mapper().writeValueAsBytes(fields), StandardCharsets.UTF_8);
    }

    private static Recipe read(Path file, long line, String record) {
        return Recipe.read(
                new Fields(new Location(file, line), Json.mapper().readValue(record, new TypeReference<>() {})));
    }

    /** The recipe where it arrived. */
    Recipe recipe(Engine engine) {
        Path path = Path.of(file);
        return read(sent ? engine.home().resolve(path) : path, line, record);
    }
}
