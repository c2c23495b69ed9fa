package io.posbias.model.retrieve;

import io.posbias.base.files.FileNames;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.score.result.EvaluatedModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recipes around recipes. A field that {@linkplain RetrieverProvider#wrappedIn() wraps} holds a recipe's name, file or
 * record; after reading it holds the record, so that a result contains its whole configuration and equal recipes have
 * equal fingerprints.
 *
 * <p>On a command line, {@code MODEL+KIND:FIELD=VALUE} is a recipe of a kind around a model, with optional fields;
 * values are YAML. Its name is the text, with {@code -} for {@code :} and {@code =}.
 */
final class Wrapping {
    /** The model, the kind after the last plus sign, and the fields. */
    private static final Pattern SPEC = Pattern.compile("(.+)\\+([a-z-]+)((?::[a-z-]+=[^:]*)*)", Pattern.DOTALL);

    /** The kind and the fields. */
    private static final Pattern STRATEGY = Pattern.compile("([a-z-]+)((?::[a-z-]+=[^:]*)*)", Pattern.DOTALL);

    private static final Pattern FIELD = Pattern.compile(":([a-z-]+)=([^:]*)");

    private Wrapping() {}

    /** Returns true for the form {@code MODEL+KIND}, unless it is the name of a recipe or an existing file. */
    static boolean isSpec(String text) {
        Matcher parts = SPEC.matcher(text);
        return parts.matches()
                && !RecipeBook.builtIn().contains(text)
                && !(Configs.isFile(text) && Files.exists(FileNames.path(text)))
                // A path may contain a plus sign.
                && (!Configs.isPath(text) || field(parts.group(2)).isPresent());
    }

    /**
     * Reads a {@linkplain #isSpec spec}.
     *
     * @param wrappers enclosing recipes, the outermost first
     * @param finder finds the model's recipe
     * @throws UsageException on an unknown strategy
     */
    static Recipe of(String spec, List<String> wrappers, Function<String, Recipe> finder) {
        Matcher parts = SPEC.matcher(spec);
        if (!parts.matches()) {
            throw new IllegalArgumentException(spec);
        }
        // A misspelt strategy is reported before an unknown model.
        field(parts.group(2), spec);
        return around(finder.apply(parts.group(1)), spec.substring(parts.start(2)), wrappers);
    }

    /**
     * Wraps a model in a strategy, or in several, the innermost first: {@code mirrored+chunked:window=64}.
     *
     * @param wrappers enclosing recipes, the outermost first
     * @throws UsageException on an unknown strategy
     */
    static Recipe around(Recipe model, String strategy, List<String> wrappers) {
        Matcher several = SPEC.matcher(strategy);
        if (several.matches()) {
            Recipe inner = around(model, several.group(1), wrappers);
            return around(inner, strategy.substring(several.start(2)), wrappers);
        }
        String spec = model.name() + "+" + strategy;
        Matcher parts = STRATEGY.matcher(strategy);
        if (!parts.matches()) {
            throw new UsageException(Printable.cut(spec) + ": a strategy has the form chunked:window=64");
        }
        SequencedMap<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("name", model.name() + "+" + name(strategy));
        record.put("kind", parts.group(1));
        record.put("family", model.family());
        record.put(field(parts.group(1), spec), model.record());
        Location where = new Location(model.settings().where().file(), 1);
        record.putAll(fields(parts.group(2), spec));
        try {
            return RecipeBook.read(resolved(new Fields(where, record), wrappers));
        } catch (BadInputException wrong) {
            throw typed(wrong, where, spec);
        }
    }

    /** Locates an error in the command line's text instead of the model's file. */
    private static PosbiasException typed(BadInputException wrong, Location where, String spec) {
        return (where + ": " + wrong.problem()).equals(wrong.getMessage())
                ? new UsageException(Printable.cut(spec) + ": " + wrong.problem())
                : wrong;
    }

    private static String field(String kind, String spec) {
        return field(kind)
                .orElseThrow(() -> new UsageException(
                        Printable.cut(spec) + ": " + Suggestions.unknown("strategy", kind, kinds())));
    }

    /** Replaces characters that a folder's name cannot have. */
    private static String name(String settings) {
        return settings.replaceAll("[:=]", "-").replaceAll("[^\\p{L}\\p{N}._+-]+", "_");
    }

    private static Map<String, @Nullable Object> fields(String text, String spec) {
        SequencedMap<String, @Nullable Object> fields = new LinkedHashMap<>();
        Matcher field = FIELD.matcher(text);
        while (field.find()) {
            String line = "value: " + field.group(2);
            Object value = Json.parseYaml(
                            Path.of(Printable.cut(spec).replace('/', '_')), line.getBytes(StandardCharsets.UTF_8))
                    .raw("value");
            if (fields.put(field.group(1), value) != null) {
                throw new UsageException(Printable.cut(spec) + " sets " + field.group(1) + " twice");
            }
        }
        return fields;
    }

    /** Returns the field of a kind that holds the model; empty for kinds that do not wrap. */
    private static Optional<String> field(String kind) {
        return RetrieverKinds.forKind(kind)
                .flatMap(provider -> provider.wrappedIn().stream().findFirst());
    }

    private static List<String> kinds() {
        return RetrieverKinds.kinds().stream()
                .filter(kind -> field(kind).isPresent())
                .toList();
    }

    /**
     * Replaces names of recipes in a record by their records.
     *
     * @param wrappers names and files of enclosing recipes, the outermost first
     * @throws BadInputException if it wraps itself
     */
    static Fields resolved(Fields written, List<String> wrappers) {
        Fields fields = StoredRun.completed(written);
        List<String> wrapping = wrapping(fields);
        if (wrapping.isEmpty()) {
            return fields;
        }
        String name = fields.id("name");
        if (wrappers.contains(name)) {
            throw circle(fields, "name", name, wrappers);
        }
        List<String> chain = new ArrayList<>(wrappers);
        chain.add(name);
        SequencedMap<String, @Nullable Object> record = fields.toMap();
        for (String field : wrapping) {
            Object value = fields.raw(field);
            if (value instanceof List<?> several) {
                List<@Nullable Object> records = new ArrayList<>();
                several.forEach(one -> records.add(resolved(fields, field, one, chain)));
                record.put(field, records);
            } else if (value != null) {
                record.put(field, resolved(fields, field, value, chain));
            }
        }
        return new Fields(fields.where(), record);
    }

    private static @Nullable Object resolved(
            Fields fields, String field, @Nullable Object value, List<String> wrappers) {
        if (value instanceof Map<?, ?> written) {
            SequencedMap<String, @Nullable Object> record = new LinkedHashMap<>();
            written.forEach((name, inner) -> record.put(String.valueOf(name), inner));
            return resolved(new Fields(fields.where(), field + ".", record), wrappers)
                    .toMap();
        }
        if (!(value instanceof String name)) {
            throw fields.bad(field, "is " + Printable.cut(String.valueOf(value)), "it names a recipe, or is one");
        }
        Recipe found = RecipeBook.find(name, wrappers);
        if (wrappers.contains(found.name())) {
            throw circle(fields, field, found.name(), wrappers);
        }
        return movable(found, fields.where());
    }

    private static BadInputException circle(Fields fields, String field, String name, List<String> wrappers) {
        return fields.bad(
                field,
                "is " + Printable.cut(name),
                "a recipe cannot wrap itself: " + String.join(" -> ", wrappers) + " -> " + name);
    }

    /** Returns a record that is valid in a file of another folder: relative model folders become absolute. */
    private static SequencedMap<String, @Nullable Object> movable(Recipe recipe, Location where) {
        SequencedMap<String, @Nullable Object> record = recipe.record();
        Fields source = recipe.settings().record("source");
        Path file = recipe.settings().where().file().toAbsolutePath();
        boolean elsewhere =
                !file.resolveSibling("").equals(where.file().toAbsolutePath().resolveSibling(""));
        if (source.has("folder") && elsewhere) {
            SequencedMap<String, @Nullable Object> moved = source.toMap();
            moved.put("folder", file.resolveSibling(source.text("folder")).toString());
            record.put("source", moved);
        }
        return record;
    }

    /**
     * Returns the fields of a resolved record that have an effect on rankings, those of wrapped recipes included, sorted by
     * name.
     */
    static Map<String, @Nullable Object> unlabelled(Fields recipe) {
        Map<String, @Nullable Object> sorted = new TreeMap<>(recipe.toMap());
        sorted.keySet().removeAll(EvaluatedModel.LABELS);
        if (StoredRun.is(recipe)) {
            sorted.keySet().removeAll(StoredRun.PLACE);
        }
        if (recipe.raw(FirstStage.FIELD) instanceof Map && StoredRun.is(recipe.record(FirstStage.FIELD))) {
            sorted.put(FirstStage.FIELD, unlabelled(recipe.record(FirstStage.FIELD)));
        }
        for (String field : wrapping(recipe)) {
            if (recipe.has(field)) {
                List<Fields> inner =
                        recipe.raw(field) instanceof List<?> ? recipe.records(field) : List.of(recipe.record(field));
                sorted.put(field, inner.stream().map(Wrapping::unlabelled).toList());
            }
        }
        return sorted;
    }

    private static List<String> wrapping(Fields recipe) {
        return RetrieverKinds.forKind(recipe.text("kind", ""))
                .map(RetrieverProvider::wrappedIn)
                .orElse(List.of());
    }
}
