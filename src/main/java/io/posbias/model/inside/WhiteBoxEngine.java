package io.posbias.model.inside;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.fetch.jars.AddOn;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Trains dense encoders. The implementation on PyTorch is in {@code src/inside} and is found through {@link AddOn}.
 */
public interface WhiteBoxEngine {
    /** Message of a build without PyTorch. */
    String MISSING = "training needs PyTorch, which is not included in this build of posbias:"
            + " build it with 'mvn -Ppytorch package', or use a released archive (docs/install.md)";

    /**
     * Prepares trainings without loading the model.
     *
     * @param orders of the same data
     * @throws UsageException if the model cannot be trained, or an order names no data, settings or folder that can be used
     */
    List<Training> trainings(Recipe recipe, List<TrainingOrder> orders, Engine engine);

    /**
     * Returns the engine of this build.
     *
     * @throws PosbiasException how to get one, in one line
     */
    static WhiteBoxEngine find(Session session) {
        return AddOn.PYTORCH.service(WhiteBoxEngine.class, session).orElseThrow(() -> new PosbiasException(MISSING));
    }

    /** Returns the reason, to follow the model's name, if it cannot be opened as a white box; else empty. Loads nothing. */
    static Optional<String> unfit(Recipe recipe) {
        if (!(recipe instanceof DenseRecipe dense)) {
            String inside = recipe.innermost() instanceof DenseRecipe
                    ? ", for example " + recipe.innermost().name()
                    : "";
            return Optional.of("is of kind " + recipe.kind() + ": only dense encoders can be looked into" + inside);
        }
        DenseSettings settings = dense.model();
        if (settings.pools(Pooling.NONE) || !settings.poolMaskInput().isEmpty()) {
            return Optional.of("has its pooling inside its graph: only models whose recipe pools can be looked into");
        }
        boolean isUsual =
                Stream.of(Pooling.CLS, Pooling.MEAN, Pooling.MAX, Pooling.LAST).anyMatch(settings::pools);
        if (!isUsual || settings.graph().head().size() > 1) {
            return Optional.of(
                    "pools in a way or has a second linear layer that PyTorch's forward pass here lacks: only"
                            + " cls, mean, max or last with one layer at most can be looked into");
        }
        if (dense.transformer() == null) {
            return Optional.of("has no 'transformer' in its recipe: export its checkpoint with 'python3"
                    + " scripts/export_onnx.py OWNER/NAME --kind dense --torchscript --out DIR' and give DIR/recipe.yaml"
                    + " (docs/training.md)");
        }
        boolean script = !Architecture.of(dense).torchscript().isEmpty();
        return script && settings.queryEncoder() != null
                ? Optional.of("has a query-encoder, which a TorchScript file lacks")
                : Optional.empty();
    }

    /** Returns the recipe if the engine takes it; refuses others, and a build without an engine. Nothing is loaded. */
    static DenseRecipe check(Recipe recipe, Session session) {
        unfit(recipe).ifPresent(why -> {
            throw new UsageException(recipe.name() + " " + why);
        });
        find(session);
        return (DenseRecipe) recipe;
    }
}
