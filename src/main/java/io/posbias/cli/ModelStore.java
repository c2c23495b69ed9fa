package io.posbias.cli;

import io.posbias.encode.ModelFiles;
import io.posbias.encode.ModelSource;
import io.posbias.hub.HubModel;
import io.posbias.hub.HubSettings;
import io.posbias.hub.ModelPuller;
import io.posbias.retrieve.Recipe;
import java.util.List;
import java.util.function.Consumer;

/** Brings the files of models here, where they come from the Hub. */
final class ModelStore {
    private final ModelPuller puller;

    /**
     * Says what it fetches.
     *
     * @param say told what is fetched
     */
    ModelStore(Consumer<String> say) {
        this.puller = new ModelPuller(HubSettings.fromEnvironment(), Terminal.progress(), say);
    }

    /** Fetches what a recipe needs and is not here; its first stage's files included. */
    void require(Recipe recipe) {
        for (ModelFiles files : fromHub(recipe)) {
            HubModel model = model(files);
            if (!puller.isHere(model)) {
                puller.pull(model, false);
            }
        }
    }

    /**
     * Fetches what a recipe needs.
     *
     * @param again whether to ask the Hub also for what is here
     * @return how many sets of files it takes from the Hub; none for models that come otherwise
     */
    int pull(Recipe recipe, boolean again) {
        List<ModelFiles> files = fromHub(recipe);
        files.forEach(one -> puller.pull(model(one), again));
        return files.size();
    }

    private static List<ModelFiles> fromHub(Recipe recipe) {
        return recipe.retriever().files().stream()
                .filter(files -> files.source().kind() == ModelSource.Kind.HUB)
                .toList();
    }

    private static HubModel model(ModelFiles files) {
        return HubModel.of(files.name(), files.source().name(), files.source().revision(), files.all());
    }
}
