package io.posbias.model.store;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Suggestions;
import io.posbias.fetch.hub.HubRepository;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.ModelPuller;
import io.posbias.fetch.hub.RepositoryType;
import io.posbias.model.encode.model.DraftRecipe;
import io.posbias.model.encode.model.InferredRecipe;
import io.posbias.model.encode.model.Kind;
import io.posbias.model.encode.model.KnownModel;
import io.posbias.model.encode.model.ModelFolder;
import io.posbias.model.encode.worker.WorkerSettings;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.StoredRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds recipes by name or file, and infers those of models that have none: {@code ORG/NAME}, {@code hf:ORG/NAME@REVISION}
 * on the Hub, a folder of the same layout, or {@code st:} before one of these for a worker that runs
 * sentence-transformers.
 */
public final class ModelFinder {
    private static final Pattern HUB = Pattern.compile("(hf:)?(\\w[\\w.-]*/\\w[\\w.-]*)(?:@([\\w./-]+))?");

    /** Before a model that sentence-transformers loads. */
    private static final String LOADED = "st:";

    /** The kinds that a worker answers. */
    private static final List<String> GIVEN = Suggestions.words(List.of(WorkerSettings.Gives.values()));

    /** Deepest folder of a model's files. */
    private static final int DEPTH = 3;

    private static final int SHORT_COMMIT = 8;

    /** Part of the class of rerankers with a head per layer, and the layer of their authors' example. */
    private static final String LAYERWISE = "LayerWise";

    private static final List<String> LAYER = List.of("--cutoff-layer", "28");

    private final Session session;
    private final ModelPuller puller;
    private final boolean again;
    private final @Nullable String instruction;
    private boolean instructed;
    private final Map<String, Optional<Recipe>> known = new HashMap<>();

    public ModelFinder(Session session) {
        this(session, false, null);
    }

    /**
     * @param again whether to ask the Hub also for files on disk
     * @param instruction what queries ask of models that are inferred from their files and take one; null for nothing
     */
    public ModelFinder(Session session, boolean again, @Nullable String instruction) {
        this.session = session;
        this.puller = new ModelPuller(HubSettings.of(session), session);
        this.again = again;
        this.instruction = instruction;
    }

    /**
     * Finds or infers a recipe.
     *
     * @throws io.posbias.base.process.UsageException if the name or file does not exist
     * @throws io.posbias.base.process.PosbiasException if a model's files lack or contradict a field
     */
    public Recipe find(String name) {
        return RecipeBook.find(name, this::remembered);
    }

    /** Finds several recipes. */
    public List<Recipe> all(List<String> names) {
        return names.stream().map(this::find).toList();
    }

    /** A recipe as a field of another one: its name, or the whole record if it was inferred. */
    public Object field(String name) {
        return StoredRun.isFile(name)
                ? StoredRun.record(name)
                : remembered(name).<Object>map(Recipe::record).orElse(name);
    }

    /** Returns true if a model took the instruction. */
    public boolean isInstructed() {
        return instructed;
    }

    /**
     * Returns what to give to {@code --model} for each known model; empty where posbias cannot run it by name.
     *
     * @return in the order of {@link KnownModel#all}
     */
    public static SequencedMap<KnownModel, String> words() {
        Map<String, String> recipes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : RecipeBook.builtIn()) {
            RecipeBook.hubNames(RecipeBook.find(name)).forEach(hub -> recipes.putIfAbsent(hub, name));
        }
        SequencedMap<KnownModel, String> words = new LinkedHashMap<>();
        for (KnownModel model : KnownModel.all()) {
            String recipe = recipes.get(model.name());
            words.put(model, recipe == null ? word(model) : recipe);
        }
        return words;
    }

    /** Graphs and tables of token vectors are read here, other models by sentence-transformers. */
    private static String word(KnownModel model) {
        boolean isHere = model.runsBy("NumPy") || (model.runsBy("ONNX") && GIVEN.contains(model.type()));
        boolean isLoaded = model.type().equals(Kind.CROSS_ENCODER.word())
                || (GIVEN.contains(model.type())
                        && Stream.of("Sentence Transformers", "PyLate").anyMatch(model::runsBy));
        return isHere ? model.name() : isLoaded ? LOADED + model.name() : "";
    }

    /** Returns the draft of a recipe for a graph that cannot be run without; empty for other models. */
    public static Optional<DraftRecipe> draft(String name) {
        boolean isElsewhere = name.startsWith("hf:") || name.startsWith(LOADED) || ServedModels.isServed(name);
        return isElsewhere || RecipeBook.builtIn().contains(name) ? Optional.empty() : DraftRecipe.of(name);
    }

    private Optional<Recipe> remembered(String name) {
        return known.computeIfAbsent(name, this::inferred);
    }

    private Optional<Recipe> inferred(String name) {
        if (RecipeBook.builtIn().contains(name)) {
            if (Files.exists(FileNames.path(name))) {
                session.say("note: " + name + " is that of 'posbias models list'; ./" + name + " is here");
            }
            return Optional.empty();
        }
        if (ServedModels.isServed(name)) {
            return Optional.of(heard(new ServedModels(session, instruction).recipe(name)));
        }
        if (name.startsWith(LOADED)) {
            return Optional.of(loaded(name.substring(LOADED.length())));
        }
        Optional<DraftRecipe> draft = draft(name);
        if (draft.isPresent()) {
            throw draft.get().refused();
        }
        if (!name.startsWith("hf:") && Files.isDirectory(FileNames.path(name))) {
            Path folder = FileNames.path(name);
            boolean isModel =
                    Stream.of("modules.json", "config.json").anyMatch(file -> Pointers.isFile(folder.resolve(file)));
            if (isModel && KnownModel.find(name).isPresent()) {
                session.say("note: " + name + " is the folder here; hf:" + name + " is the model on the Hub");
            }
            return isModel ? Optional.of(local(name, folder)) : Optional.empty();
        }
        Matcher hub = HUB.matcher(name);
        boolean isPublished = hub.matches()
                && !name.endsWith(".yaml")
                && !name.endsWith(".yml")
                && (hub.group(1) != null
                        || hub.group(3) != null
                        || RecipeBook.running(hub.group(2)).isEmpty());
        return isPublished
                ? Optional.of(published(hub.group(2), Objects.requireNonNullElse(hub.group(3), HubRepository.MAIN)))
                : Optional.empty();
    }

    /** The recipe of a model that sentence-transformers loads, in a folder or on the Hub. */
    private Recipe loaded(String model) {
        Path folder = FileNames.path(model);
        boolean isFolder = Files.isDirectory(folder);
        if (!isFolder && !HUB.matcher(model).matches()) {
            throw new UsageException(LOADED + model + ": folder not found, and no ORG/NAME of a model on the Hub");
        }
        String own = ownName(folder);
        Optional<KnownModel> facts = isFolder ? Optional.empty() : KnownModel.find(model.split("@", 2)[0]);
        String gives =
                isFolder ? gives(folder) : gives(facts.map(KnownModel::type).orElse(""));
        SequencedMap<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("name", FileNames.ofModel(own));
        record.put("kind", "worker");
        record.put("gives", gives);
        String marked = !isFolder || folder.isAbsolute() || model.matches("(?s)\\.{1,2}/.*") ? model : "./" + model;
        List<String> command = new ArrayList<>(List.of("python3", WorkerSettings.OWN, "--model", marked));
        facts.ifPresent(known -> command.addAll(prompts(known)));
        if (isFolder && isLayerwise(folder)) {
            command.addAll(LAYER);
            record.put("gives-logits", true);
        }
        record.put("command", command);
        return RecipeBook.read(new Fields(Location.of(Path.of(LOADED + own)), record));
    }

    /** Arguments of a worker for the prompts that a model's files may not name. */
    private List<String> prompts(KnownModel known) {
        if (instruction != null && !known.instructionTemplate().isEmpty()) {
            instructed = true;
            return List.of("--query-prompt", known.instructed(instruction));
        }
        if (known.asksForInstruction()) {
            return List.of("--instruction-template", known.instructionTemplate());
        }
        return known.hasPrompts()
                ? List.of("--known-query-prompt", known.queryPrompt(), "--known-passage-prompt", known.documentPrompt())
                : List.of();
    }

    /** Returns the kind of answers by the type of a known model, which may be empty. */
    private static String gives(String type) {
        return GIVEN.contains(type) ? type : Kind.DENSE.word();
    }

    /** Returns the kind of answers, by the type that sentence-transformers wrote, else by the model's head. */
    private static String gives(Path folder) {
        String type = field(folder.resolve("config_sentence_transformers.json"), "model_type");
        if (type.equals("SparseEncoder")) {
            return Kind.SPARSE.word();
        }
        boolean hasModules = Pointers.isFile(folder.resolve("modules.json"));
        boolean isLate = type.equals("MultiVectorEncoder")
                || (hasModules
                        && IoErrors.call("read", folder, () -> Files.readString(folder.resolve("modules.json")))
                                .contains("pylate"));
        boolean isReranker = type.equals("CrossEncoder")
                || (!hasModules
                        && field(folder.resolve("config.json"), "architectures").contains("SequenceClassification"))
                || isLayerwise(folder);
        return (isLate ? Kind.LATE_INTERACTION : isReranker ? Kind.CROSS_ENCODER : Kind.DENSE).word();
    }

    private static boolean isLayerwise(Path folder) {
        return field(folder.resolve("config.json"), "architectures").contains(LAYERWISE);
    }

    private static String field(Path file, String name) {
        return String.valueOf(ModelFolder.read(file).raw(name));
    }

    private Recipe local(String name, Path folder) {
        List<String> paths = IoErrors.call("read", folder, () -> FileNames.visible(folder, DEPTH)).stream()
                .map(file -> FileNames.slashed(folder.relativize(file)))
                .toList();
        String own = ownName(folder);
        return recipe(
                new ModelFolder(name, folder, paths),
                own + " (inferred)",
                FileNames.ofModel(own),
                Map.of("folder", name));
    }

    private static String ownName(Path folder) {
        return String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    }

    private Recipe published(String model, String revision) {
        HubRepository repository = new HubRepository(RepositoryType.MODEL, model, revision);
        String suffix = revision.equals(HubRepository.MAIN) ? "" : "-" + revision.replace('/', '_');
        String folder = model.replace("/", "--") + suffix;
        ModelPuller.Listed listed =
                puller.list(folder + "-config", repository, ModelFolder::isMetadata, ModelFolder.MOST_METADATA, again);
        SequencedMap<String, Object> source = new LinkedHashMap<>();
        source.put("hub", model);
        source.put("revision", listed.commit().isEmpty() ? revision : listed.commit());
        source.put("files-of", folder);
        boolean isCommit = HubRepository.isCommit(revision);
        String name =
                model.substring(model.indexOf('/') + 1) + (isCommit ? suffix.substring(0, 1 + SHORT_COMMIT) : suffix);
        return recipe(new ModelFolder(model, listed.folder(), listed.paths()), model + "@" + revision, name, source);
    }

    /** @param place a path for errors; files of the recipe are relative to its folder */
    private Recipe recipe(ModelFolder files, String place, String name, Map<String, Object> source) {
        InferredRecipe inferred = InferredRecipe.of(files, name, source, instruction);
        session.say("recipe of " + files.model() + ", inferred from its files ('posbias models info' prints it):");
        inferred.origins().forEach(line -> session.say("  " + line));
        return heard(RecipeBook.read(new Fields(Location.of(FileNames.path(place)), inferred.record())));
    }

    /** Notes whether a recipe took the instruction: those of models with prompts did. */
    private Recipe heard(Recipe recipe) {
        instructed |= instruction != null && recipe.record().containsKey("query-prompt");
        return recipe;
    }
}
