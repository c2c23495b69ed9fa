package io.posbias.model.retrieve;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.model.encode.model.DraftRecipe;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.Tokenizer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a retriever: a YAML record, bound to a Java record by the {@link RetrieverProvider} of its kind. A kind
 * implements the first two methods and those of the next three that apply to it.
 */
public interface Recipe {
    /** Folder of the recipes in the jar. */
    String FOLDER = "configs/models";

    RecipeCard card();

    /** Creates the retriever. */
    Retriever retriever();

    /** Returns the wrapped recipes, in the order of its fields. */
    default List<Recipe> wrapped() {
        return List.of();
    }

    /** Returns the model's token limit; 0 if unknown. */
    default int maxTokens() {
        return 0;
    }

    /** Returns the numbers of a text's vector; 0 if unknown, or without one vector per text. */
    default int dimension() {
        return 0;
    }

    default String name() {
        return card().name();
    }

    default String kind() {
        return card().kind();
    }

    default String family() {
        return card().family();
    }

    /** Returns the fields as written, with their location. */
    default Fields settings() {
        return card().fields();
    }

    /** Returns the fields as written, for results. */
    default SequencedMap<String, @Nullable Object> record() {
        return settings().toMap();
    }

    /** Returns the names of the recipes in the jar. */
    static List<String> builtIn() {
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
    static Recipe find(String nameOrFile) {
        return find(nameOrFile, List.of());
    }

    /**
     * Finds a recipe, or makes one.
     *
     * @param spec a name, a file, or one of these wrapped
     * @param inferred returns the recipe of a model without one; empty for other names
     */
    static Recipe find(String spec, Function<String, Optional<Recipe>> inferred) {
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
    static List<String> running(String model) {
        return builtIn().stream().filter(name -> find(name).runs(model)).toList();
    }

    /** Returns the names on the Hub of the models that this runs. */
    default Stream<String> hubNames() {
        Stream<String> source = retriever().model().stream()
                .flatMap(own -> own.files().stream().limit(1))
                .map(files -> files.source())
                .filter(from -> from.hub() != null || from.export() != null)
                .map(from -> from.name());
        return Stream.concat(card().hubNames().stream(), source);
    }

    /** Returns true if this runs a model of the Hub. */
    default boolean runs(String model) {
        return hubNames().anyMatch(model::equalsIgnoreCase);
    }

    /** Returns true if a text can be a model's name, and so a folder of results. */
    static boolean isName(String text) {
        return text.matches("[\\p{L}\\p{N}._+-]+") && !text.startsWith(".");
    }

    /** Returns a text with underscores for what a model's name cannot contain; it may still begin with a dot. */
    static String safeName(String text) {
        return text.replaceAll("[^\\p{L}\\p{N}._+-]", "_");
    }

    /**
     * Binds a recipe's record.
     *
     * @throws PosbiasException on an unknown kind or a wrong setting
     */
    static Recipe read(Fields written) {
        Fields fields = StoredRun.completed(written);
        fields.names().stream()
                .filter(field -> DraftRecipe.DECIDE.equals(fields.raw(field)))
                .findFirst()
                .ifPresent(field -> {
                    throw fields.bad(field, "is to be decided", "the comment beside it says between what");
                });
        String kind = fields.id("kind");
        return RetrieverProvider.forKind(kind)
                .orElseThrow(() -> new PosbiasException(
                        fields.where() + ": " + Suggestions.unknown("kind", kind, RetrieverProvider.kinds())))
                .bind(fields);
    }

    /** Reads a field that holds a recipe's name, file or record. */
    @Setting.Reader
    static Recipe of(Fields record, String field) {
        return record.raw(field) instanceof Map ? read(record.record(field)) : find(record.text(field));
    }

    /**
     * Returns a SHA-256 over the record without its {@linkplain io.posbias.score.result.RecipeLabels labels}, independent of the order of fields; wrapped
     * recipes included.
     */
    default String fingerprint() {
        return Checksums.sha256(Json.mapper().writeValueAsBytes(Wrapping.unlabelled(settings())));
    }

    /** Returns the recipe with fields set by options; fields that are not options of its kind are ignored. */
    default Recipe with(Map<String, Object> changes) {
        SequencedMap<String, @Nullable Object> changed = record();
        changes.forEach((field, value) -> {
            if (takes(field)) {
                changed.put(field, value);
            }
        });
        return read(new Fields(settings().where(), changed));
    }

    /** Returns true if a field can be set by an option. */
    default boolean takes(String field) {
        return RetrieverProvider.forKind(kind())
                .map(provider -> provider.options().contains(field))
                .orElse(false);
    }

    /**
     * Wraps this recipe in a strategy.
     *
     * @param strategy text after {@code MODEL+}: a kind and its fields
     * @throws UsageException on an unknown strategy
     */
    default Recipe within(String strategy) {
        return Wrapping.around(this, strategy, List.of());
    }

    /** Returns the recipe of the innermost model, the first of several; this if it wraps none. */
    default Recipe innermost() {
        List<Recipe> inner = wrapped();
        return inner.isEmpty() ? this : inner.getFirst().innermost();
    }

    /** Returns the required files of the model, else of the wrapped models. */
    default List<ModelFiles> ownFiles() {
        return retriever()
                .model()
                .map(Model::files)
                .orElseGet(() -> wrapped().stream()
                        .flatMap(recipe -> recipe.files().stream())
                        .toList());
    }

    /** Returns all required files, those of the first stage last. */
    default List<ModelFiles> files() {
        Stream<ModelFiles> first = retriever().firstStage().stream().flatMap(stage -> stage.recipe().files().stream());
        return Stream.concat(ownFiles().stream(), first).toList();
    }

    /**
     * Returns the bytes of a text's vectors in an index, of all models together; 0 if unknown, or without one vector
     * per text.
     */
    default double vectorBytes() {
        return retriever()
                .model()
                .map(model -> model instanceof Model.Encoder encoder ? encoder.bytes() : 0.0)
                .orElseGet(() ->
                        wrapped().stream().mapToDouble(Recipe::vectorBytes).sum());
    }

    /** Returns true if the first retriever has no model, as BM25. */
    default boolean countsWords() {
        return retriever().model().isEmpty()
                && (wrapped().isEmpty() || wrapped().getFirst().countsWords());
    }

    /** Returns true if the model, a wrapped one or the first stage is a service. */
    default boolean callsService() {
        return retriever().model().map(Model::isService).orElse(false) || inside().anyMatch(Recipe::callsService);
    }

    /** Returns the wrapped recipes, then that of the first stage. */
    private Stream<Recipe> inside() {
        return Stream.concat(wrapped().stream(), retriever().firstStage().map(FirstStage::recipe).stream());
    }

    /** Refuses a benchmark in a language that this cannot split into words, before anything is loaded. */
    default void refuseLanguage(DatasetCard card) {
        inside().forEach(recipe -> recipe.refuseLanguage(card));
    }

    /**
     * Returns digests of code that is not posbias's, of this recipe and those inside it: jars of plug-ins, and the programs
     * and files of models in other processes.
     */
    default Stream<String> code(Path home) {
        Stream<String> own = Stream.of(this, retriever())
                .map(Object::getClass)
                .map(type -> Checksums.ofPlugin(type, home))
                .distinct()
                .flatMap(List::stream);
        return Stream.concat(own, inside().flatMap(recipe -> recipe.code(home)));
    }

    /** Returns the tokenizer of the first model that has one. */
    default Optional<Tokenizer> tokenizer(Session session) {
        return files().stream()
                .filter(files -> !files.tokenizer().isEmpty())
                .findFirst()
                .map(files -> files.tokenizer(session));
    }

    /** Returns the model, if it has one vector per text. */
    default Optional<Model.Encoder> oneVector() {
        return retriever()
                .model()
                .filter(Model.Encoder.class::isInstance)
                .map(Model.Encoder.class::cast)
                .filter(encoder -> encoder.vectors() != null);
    }
}
