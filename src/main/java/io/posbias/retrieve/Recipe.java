package io.posbias.retrieve;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.posbias.Checksums;
import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Suggestions;
import io.posbias.UsageException;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.ModelSize;
import io.posbias.encode.onnx.Tokenizer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a retriever: a YAML record. The components are common to every kind; other settings belong to the
 * kind's provider.
 *
 * @param name in results; no white space
 * @param kind of retriever, for example {@code bm25}
 * @param family heading in reports
 * @param settings all fields of the record, with their location
 */
public record Recipe(String name, String kind, String family, String description, String citation, Fields settings) {
    private static final String HUB_NAMES = "hub-names";

    /** Architecture of a dense model, for white-box analysis; without effect on rankings. */
    public static final String TRANSFORMER = "transformer";

    /** Fields of every kind. */
    public static final List<String> COMMON_FIELDS = List.of(
            "name",
            "kind",
            "family",
            "description",
            "citation",
            "licence",
            HUB_NAMES,
            "unknown",
            "published-as",
            ModelSize.FIELD);

    /** Fields without effect on rankings. */
    public static final Set<String> LABELS = Set.of(
            "description", "citation", "licence", HUB_NAMES, "unknown", "published-as", TRANSFORMER, ModelSize.FIELD);

    private static final String FOLDER = "configs/models";

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
     */
    @JsonCreator
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
        if (Wrapping.isSpec(nameOrFile)) {
            return Wrapping.of(nameOrFile, wrappers, model -> find(model, wrappers));
        }
        boolean mayBeHubs = nameOrFile.contains("/") && !Configs.isFile(nameOrFile);
        String name = mayBeHubs ? ofHub(nameOrFile) : nameOrFile;
        return read(Wrapping.resolved(Configs.find("model", FOLDER, name, "posbias models list"), wrappers));
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
        return builtIn().stream().filter(name -> runs(name, model)).toList();
    }

    private static boolean runs(String name, String model) {
        String file = FOLDER + "/" + name + ".yaml";
        Fields recipe = Json.parseYaml(Path.of(file), Configs.read(file));
        Fields source = recipe.record("source");
        return Stream.concat(
                        recipe.texts(HUB_NAMES).stream(), Stream.of(source.text("hub", ""), source.text("export", "")))
                .anyMatch(model::equalsIgnoreCase);
    }

    /** Returns true if a text can be a model's name, and so a folder of results. */
    public static boolean isName(String text) {
        return text.matches("[\\p{L}\\p{N}._+-]+") && !text.startsWith(".");
    }

    /** Reads a recipe's record. */
    public static Recipe read(Fields fields) {
        String name = fields.id("name");
        if (!isName(name)) {
            throw fields.bad("name", "is " + Printable.quoted(name), "a name is made of letters, digits and . _ + -");
        }
        return new Recipe(
                name,
                fields.id("kind"),
                fields.text("family", "other"),
                fields.text("description", ""),
                fields.text("citation", ""),
                fields);
    }

    /** Returns the record as read, for results. */
    public SequencedMap<String, @Nullable Object> record() {
        return settings.toMap();
    }

    /**
     * Returns a SHA-256 over the record without its {@link #LABELS}, independent of the order of fields; wrapped
     * recipes included.
     */
    public String fingerprint() {
        return Checksums.sha256(Json.mapper().writeValueAsBytes(unlabelled()));
    }

    private Map<String, @Nullable Object> unlabelled() {
        Map<String, @Nullable Object> sorted = new TreeMap<>(record());
        sorted.keySet().removeAll(LABELS);
        // A run is what it contains, wherever it is.
        sorted.remove(StoredRun.RUN);
        if (sorted.get(FirstStage.FIELD) instanceof Map<?, ?> stage && stage.containsKey(StoredRun.RUN)) {
            sorted.put(FirstStage.FIELD, read(settings.record(FirstStage.FIELD)).unlabelled());
        }
        RetrieverProvider.forKind(kind).map(RetrieverProvider::wrappedIn).orElse(List.of()).stream()
                .filter(settings::has)
                .forEach(field -> sorted.put(
                        field,
                        Wrapping.in(settings, field).stream()
                                .map(Recipe::unlabelled)
                                .toList()));
        return sorted;
    }

    /** Returns the recipe with fields set by options; fields that are not options of its kind are ignored. */
    public Recipe with(Map<String, Object> changes) {
        SequencedMap<String, @Nullable Object> changed = record();
        changes.forEach((field, value) -> {
            if (takes(field)) {
                changed.put(field, value);
            }
        });
        Fields fields = StoredRun.completed(new Fields(settings.where(), changed));
        return new Recipe(name, kind, family, description, citation, fields);
    }

    /** Returns true if a field can be set by an option. */
    public boolean takes(String field) {
        return RetrieverProvider.forKind(kind)
                .map(provider -> provider.options().contains(field))
                .orElse(false);
    }

    /**
     * Refuses unknown fields.
     *
     * @param own fields besides {@link #COMMON_FIELDS}
     * @throws io.posbias.BadInputException naming the first unknown field and the nearest known one
     */
    @SafeVarargs
    public final void refuseOthers(List<String>... own) {
        List<String> known = new ArrayList<>(COMMON_FIELDS);
        for (List<String> fields : own) {
            known.addAll(fields);
        }
        settings.refuseOthers(known);
    }

    /**
     * Wraps this recipe in a strategy.
     *
     * @param strategy text after {@code MODEL+}: a kind and its fields
     * @throws UsageException on an unknown strategy
     */
    public Recipe within(String strategy) {
        return Wrapping.around(this, strategy, List.of());
    }

    /** Returns the wrapped recipes, in the order of its fields. */
    public List<Recipe> wrapped() {
        return RetrieverProvider.forKind(kind).map(RetrieverProvider::wrappedIn).orElse(List.of()).stream()
                .flatMap(field -> Wrapping.in(settings, field).stream())
                .toList();
    }

    /** Returns the recipe of the innermost model, the first of several; this if it wraps none. */
    public Recipe innermost() {
        List<Recipe> inner = wrapped();
        return inner.isEmpty() ? this : inner.getFirst().innermost();
    }

    /** Returns the model's size, if the recipe has it. */
    public Optional<ModelSize> size() {
        return ModelSize.of(settings);
    }

    /** Returns the model's token limit; 0 if unknown. */
    public int maxTokens() {
        return innermost().settings().integer("max-tokens", 0);
    }

    /** Returns unverified properties, a sentence each. */
    public List<String> unknown() {
        return settings.texts("unknown");
    }

    /** Returns the required files of the model, else of the wrapped models, and of the first stage. */
    public List<ModelFiles> files() {
        Retriever retriever = retriever();
        Stream<ModelFiles> own = retriever
                .model()
                .map(model -> model.files().stream())
                .orElseGet(() -> wrapped().stream().flatMap(recipe -> recipe.files().stream()));
        Stream<ModelFiles> first = retriever.firstStage().stream().flatMap(stage -> stage.recipe().files().stream());
        return Stream.concat(own, first).toList();
    }

    /**
     * Returns the bytes of a text's vectors in an index, of all models together; 0 if unknown, or without one vector
     * per text.
     */
    public double vectorBytes() {
        return retriever()
                .model()
                .map(model -> model instanceof Model.Encoder encoder ? encoder.bytes() : 0.0)
                .orElseGet(() ->
                        wrapped().stream().mapToDouble(Recipe::vectorBytes).sum());
    }

    /** Returns true if the first retriever has no model, as BM25. */
    public boolean countsWords() {
        return retriever().model().isEmpty()
                && (wrapped().isEmpty() || wrapped().getFirst().countsWords());
    }

    /** Returns true if the model, a wrapped one or the first stage is a service. */
    public boolean callsService() {
        Retriever retriever = retriever();
        return retriever.model().map(Model::isService).orElse(false)
                || Stream.concat(wrapped().stream(), retriever.firstStage().map(FirstStage::recipe).stream())
                        .anyMatch(Recipe::callsService);
    }

    /** Returns the tokenizer of the first model that has one. */
    public Optional<Tokenizer> tokenizer(Path home) {
        return files().stream()
                .filter(files -> !files.tokenizer().isEmpty())
                .findFirst()
                .map(files -> files.tokenizer(home));
    }

    /** Creates the retriever. */
    public Retriever retriever() {
        return RetrieverProvider.forKind(kind)
                .orElseThrow(() -> new PosbiasException(
                        settings.where() + ": " + Suggestions.unknown("kind", kind, RetrieverProvider.kinds())))
                .create(this);
    }

    /** Returns the model, if it has one vector per text. */
    public Optional<Model.Encoder> oneVector() {
        return retriever()
                .model()
                .filter(Model.Encoder.class::isInstance)
                .map(Model.Encoder.class::cast)
                .filter(encoder -> encoder.vectors() != null);
    }
}
