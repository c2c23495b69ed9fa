package io.posbias.model.retrieve;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.model.DraftRecipe;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.score.result.EvaluatedModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds, reads and wraps recipes. */
public final class RecipeBook {
    /** Folder of the recipes in the jar. */
    public static final String FOLDER = "configs/models";

    /** Reads fields that hold a recipe's name, file or record. */
    public static final RecipeReader READER = RecipeBook::of;

    private RecipeBook() {}

    /** Returns the names of the recipes in the jar. */
    public static List<String> builtIn() {
        return Configs.names(FOLDER);
    }

    /**
     * Finds a recipe.
     *
     * @param nameOrFile a name of {@link #builtIn()} in any case, the Hub's name of a model with a built-in recipe, a
     *     YAML file, or one of these {@linkplain Wrapping wrapped}: {@code MODEL+KIND:FIELD=VALUE}
     * @throws UsageException on an unknown name or a missing file
     * @throws io.posbias.base.json.BadInputException on a wrong setting
     */
    public static Recipe find(String nameOrFile) {
        return find(nameOrFile, List.of());
    }

    /**
     * Finds a recipe, or makes one.
     *
     * @param spec a name, a file, or one of these wrapped
     * @param inferred returns the recipe of a model without one; empty for other names
     */
    public static Recipe find(String spec, Function<String, Optional<Recipe>> inferred) {
        return Wrapping.isSpec(spec)
                ? Wrapping.of(spec, List.of(), model -> find(model, inferred))
                : inferred.apply(spec).orElseGet(() -> find(spec));
    }

    /** @param wrappers enclosing recipes, which this one cannot be */
    static Recipe find(String nameOrFile, List<String> wrappers) {
        return Wrapping.isSpec(nameOrFile)
                ? Wrapping.of(nameOrFile, wrappers, model -> find(model, wrappers))
                : read(Wrapping.resolved(written(nameOrFile), wrappers));
    }

    /** Reads a recipe by its name or file, without binding it. */
    static Fields written(String nameOrFile) {
        boolean mayBeHubs = nameOrFile.contains("/") && !Configs.isFile(nameOrFile);
        String name = mayBeHubs ? ofHub(nameOrFile) : nameOrFile;
        return Configs.find("model", FOLDER, name, "posbias models list");
    }

    /**
     * Returns the recipe of a model on the Hub; of several, the one with the model's name.
     *
     * @throws UsageException if there is none, or several of other names
     */
    private static String ofHub(String model) {
        String own = model.substring(model.lastIndexOf('/') + 1);
        List<String> running = running(model);
        if (running.isEmpty()) {
            throw new UsageException("no recipe for " + Printable.cut(model)
                    + ": 'posbias models list' lists the recipes; docs/models.md explains how to write one");
        }
        Optional<String> named = running.size() == 1 ? running.stream().findFirst() : Suggestions.meant(own, running);
        return named.orElseThrow(() -> new UsageException(model + " has " + running.size() + " recipes: give "
                + Suggestions.choice(running).orElse("")));
    }

    /** Returns the built-in recipes that run a model of the Hub. */
    public static List<String> running(String model) {
        return builtIn().stream().filter(name -> isOf(find(name), model)).toList();
    }

    /** Returns true if a recipe runs a model of the Hub. */
    public static boolean isOf(Recipe recipe, String model) {
        return hubNames(recipe).anyMatch(model::equalsIgnoreCase);
    }

    /** Returns the names on the Hub of the models that a recipe runs. */
    public static Stream<String> hubNames(Recipe recipe) {
        Stream<String> source = recipe.retriever().model().stream()
                .flatMap(own -> own.files().stream().limit(1))
                .map(ModelFiles::source)
                .filter(from -> from.hub() != null || from.export() != null)
                .map(from -> from.name());
        return Stream.concat(recipe.card().hubNames().stream(), source);
    }

    /**
     * Binds a recipe's record.
     *
     * @throws PosbiasException on an unknown kind or a wrong setting
     */
    public static Recipe read(Fields written) {
        Fields fields = StoredRun.completed(written);
        fields.names().stream()
                .filter(field -> DraftRecipe.DECIDE.equals(fields.raw(field)))
                .findFirst()
                .ifPresent(field -> {
                    throw fields.bad(field, "is to be decided", "the comment beside it says between what");
                });
        String kind = fields.id("kind");
        return RetrieverKinds.forKind(kind)
                .orElseThrow(() -> new PosbiasException(
                        fields.where() + ": " + Suggestions.unknown("kind", kind, RetrieverKinds.kinds())))
                .bind(fields, READER);
    }

    private static Recipe of(Fields record, String field) {
        return record.raw(field) instanceof Map ? read(record.record(field)) : find(record.text(field));
    }

    /**
     * Returns a SHA-256 over the record without its {@linkplain EvaluatedModel#LABELS labels}, independent of the
     * order of fields; wrapped recipes included.
     */
    public static String fingerprint(Recipe recipe) {
        return Checksums.sha256(Json.mapper().writeValueAsBytes(Wrapping.unlabelled(recipe.settings())));
    }

    /** Returns the recipe with fields set by options; fields that are not options of its kind are ignored. */
    public static Recipe with(Recipe recipe, Map<String, Object> changes) {
        SequencedMap<String, @Nullable Object> changed = recipe.record();
        changes.forEach((field, value) -> {
            if (takes(recipe, field)) {
                changed.put(field, value);
            }
        });
        return read(new Fields(recipe.settings().where(), changed));
    }

    /** Returns true if a field can be set by an option. */
    public static boolean takes(Recipe recipe, String field) {
        return RetrieverKinds.forKind(recipe.kind())
                .map(provider -> provider.options().contains(field))
                .orElse(false);
    }

    /**
     * Wraps a recipe in a strategy.
     *
     * @param strategy text after {@code MODEL+}: a kind and its fields
     * @throws UsageException on an unknown strategy
     */
    public static Recipe within(Recipe recipe, String strategy) {
        return Wrapping.around(recipe, strategy, List.of());
    }
}
