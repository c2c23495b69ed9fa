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
 * How a retriever is set up: a YAML record. The fields here belong to every kind; all others are settings that only the
 * kind's own provider knows.
 *
 * @param name what results call it; no white space
 * @param kind which provider reads the settings, for example {@code bm25}
 * @param family under which heading reports put it
 * @param description one line for lists
 * @param citation how to cite it
 * @param settings all fields of the record, with their place in the file for errors
 */
public record Recipe(String name, String kind, String family, String description, String citation, Fields settings) {
    private static final String HUB_NAMES = "hub-names";

    /** How the weights of a dense model make vectors, for those who look inside: a ranking does not depend on it. */
    public static final String TRANSFORMER = "transformer";

    /** The fields that every recipe may have, whatever its kind. */
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

    /** The fields that do not change a ranking. */
    public static final Set<String> LABELS = Set.of(
            "description", "citation", "licence", HUB_NAMES, "unknown", "published-as", TRANSFORMER, ModelSize.FIELD);

    private static final String FOLDER = "configs/models";

    /** The names of the recipes inside the jar. */
    public static List<String> builtIn() {
        return Configs.names(FOLDER);
    }

    /**
     * Finds a recipe.
     *
     * @param nameOrFile a name from {@link #builtIn()}, in upper or lower case, the Hub's name of a model that one of them
     *     runs, the path of a YAML file, or one of these {@linkplain Wrapping wrapped}: {@code MODEL+KIND:FIELD=VALUE}
     * @throws UsageException if there is no such name or file
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

    /** @param wrappers the recipes on the way here, of which this cannot be one */
    static Recipe find(String nameOrFile, List<String> wrappers) {
        if (Wrapping.isSpec(nameOrFile)) {
            return Wrapping.of(nameOrFile, wrappers, model -> find(model, wrappers));
        }
        boolean mayBeHubs = nameOrFile.contains("/") && !Configs.isFile(nameOrFile);
        String name = mayBeHubs ? ofHub(nameOrFile) : nameOrFile;
        return read(Wrapping.resolved(Configs.find("model", FOLDER, name, "posbias models list"), wrappers));
    }

    /**
     * The recipe that runs a model of the Hub; where there are several, the one that has the model's own name.
     *
     * @throws UsageException if there is none, or several of other names
     */
    private static String ofHub(String model) {
        String own = model.substring(model.lastIndexOf('/') + 1);
        List<String> running = running(model);
        if (running.isEmpty()) {
            throw new UsageException("no recipe for " + Printable.cut(model)
                    + ": 'posbias models list' lists those there are; docs/models.md says how to write one");
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

    /** Whether a model may be called so: a name becomes a folder among results. */
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

    /** The record as read: for results, so that each says how it was made. */
    public SequencedMap<String, @Nullable Object> record() {
        return settings.toMap();
    }

    /**
     * SHA-256 over the record without its {@link #LABELS}, whatever the order of its fields; of wrapped recipes likewise.
     */
    public String fingerprint() {
        return Checksums.sha256(Json.mapper().writeValueAsBytes(unlabelled()));
    }

    private Map<String, @Nullable Object> unlabelled() {
        Map<String, @Nullable Object> sorted = new TreeMap<>(record());
        sorted.keySet().removeAll(LABELS);
        RetrieverProvider.forKind(kind).map(RetrieverProvider::wrappedIn).orElse(List.of()).stream()
                .filter(settings::has)
                .forEach(field -> sorted.put(
                        field,
                        Wrapping.in(settings, field).stream()
                                .map(Recipe::unlabelled)
                                .toList()));
        return sorted;
    }

    /**
     * The recipe with some fields set anew, for options of the command line.
     *
     * @param changes those that its kind does not take as options are left out
     */
    public Recipe with(Map<String, Object> changes) {
        SequencedMap<String, @Nullable Object> changed = record();
        changes.forEach((field, value) -> {
            if (takes(field)) {
                changed.put(field, value);
            }
        });
        return new Recipe(name, kind, family, description, citation, new Fields(settings.where(), changed));
    }

    /** Whether a field may be set anew: its kind takes it as an option. */
    public boolean takes(String field) {
        return RetrieverProvider.forKind(kind)
                .map(provider -> provider.options().contains(field))
                .orElse(false);
    }

    /**
     * Refuses fields that nobody reads.
     *
     * @param own the fields that may be beside {@link #COMMON_FIELDS}
     * @throws io.posbias.BadInputException naming the first other one and the nearest known
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
     * A recipe around this one, with all that was set of it.
     *
     * @param strategy as behind {@code MODEL+}: a kind that wraps, and its fields
     * @throws UsageException if no kind that wraps is called so
     */
    public Recipe within(String strategy) {
        return Wrapping.around(this, strategy, List.of());
    }

    /** The recipes that it wraps, in the order of its fields; none for kinds that wrap none. */
    public List<Recipe> wrapped() {
        return RetrieverProvider.forKind(kind).map(RetrieverProvider::wrappedIn).orElse(List.of()).stream()
                .flatMap(field -> Wrapping.in(settings, field).stream())
                .toList();
    }

    /** The recipe of the model inside all that wraps it, the first of several; itself where it wraps none. */
    public Recipe innermost() {
        List<Recipe> inner = wrapped();
        return inner.isEmpty() ? this : inner.getFirst().innermost();
    }

    /** How big its model is, as the recipe says; empty where it does not. */
    public Optional<ModelSize> size() {
        return ModelSize.of(settings);
    }

    /** The model's limit of tokens; 0 where the recipe does not say. */
    public int maxTokens() {
        return innermost().settings().integer("max-tokens", 0);
    }

    /** What was not verified, in sentences. */
    public List<String> unknown() {
        return settings.texts("unknown");
    }

    /** The model files that must be there first: of its own model, or else of those that it wraps, and of its first stage. */
    public List<ModelFiles> files() {
        Retriever retriever = retriever();
        Stream<ModelFiles> own = retriever
                .model()
                .map(model -> model.files().stream())
                .orElseGet(() -> wrapped().stream().flatMap(recipe -> recipe.files().stream()));
        Stream<ModelFiles> first = retriever.firstStage().stream().flatMap(stage -> stage.recipe().files().stream());
        return Stream.concat(own, first).toList();
    }

    /** The bytes of a text's vector in an index, of several models together; 0 where a text has none or several, or the recipe does not say. */
    public double vectorBytes() {
        return retriever()
                .model()
                .map(model -> model instanceof Model.Encoder encoder ? encoder.bytes() : 0.0)
                .orElseGet(() ->
                        wrapped().stream().mapToDouble(Recipe::vectorBytes).sum());
    }

    /** Whether the first of its models, or its only one, is none: it counts words. */
    public boolean countsWords() {
        return retriever().model().isEmpty()
                && (wrapped().isEmpty() || wrapped().getFirst().countsWords());
    }

    /** Whether it, one that it wraps, or a first stage calls a service. */
    public boolean callsService() {
        Retriever retriever = retriever();
        return retriever.model().map(Model::isService).orElse(false)
                || Stream.concat(wrapped().stream(), retriever.firstStage().map(FirstStage::recipe).stream())
                        .anyMatch(Recipe::callsService);
    }

    /**
     * The tokenizer of its model, or of the first of its models that has one.
     *
     * @param home posbias's folder, in which the model is
     * @return empty for kinds without one
     */
    public Optional<Tokenizer> tokenizer(Path home) {
        return files().stream()
                .filter(files -> !files.tokenizer().isEmpty())
                .findFirst()
                .map(files -> files.tokenizer(home));
    }

    /** Makes the retriever that this recipe describes. */
    public Retriever retriever() {
        return RetrieverProvider.forKind(kind)
                .orElseThrow(() -> new PosbiasException(
                        settings.where() + ": " + Suggestions.unknown("kind", kind, RetrieverProvider.kinds())))
                .create(this);
    }

    /** The model that gives a text a single vector; empty where there is none. */
    public Optional<Model.Encoder> oneVector() {
        return retriever()
                .model()
                .filter(Model.Encoder.class::isInstance)
                .map(Model.Encoder.class::cast)
                .filter(encoder -> encoder.vectors() != null);
    }
}
