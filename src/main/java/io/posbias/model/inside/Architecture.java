package io.posbias.model.inside;

import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.score.result.EvaluatedModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Field {@code transformer} of a recipe: what a checkpoint is made of, with which its model is looked into and trained.
 *
 * @param heads of each layer's attention
 * @param epsilon what a norm adds to the variance
 * @param weights safetensors files; empty for the weights in the ONNX file
 */
public record Architecture(Family family, int heads, double epsilon, Optional<ModelFiles> weights) {
    /**
     * The field as written.
     *
     * @param normEpsilon null for the family's
     * @param source of the weights; null for the model's
     * @param torchscript a file that former versions read; null for none
     */
    record Written(
            @Nullable Family family,
            @Setting(least = 1) @Nullable Integer heads,
            @Setting(above = 0) @Nullable Double normEpsilon,
            @Setting(usual = "[]") List<String> weights,
            @Nullable ModelSource source,
            @Nullable String torchscript) {
        Written {
            if (torchscript != null) {
                throw new Setting.Wrong(
                        "torchscript",
                        "names a file that posbias no longer reads",
                        "remove the field, and give the checkpoint to look into or to train, --model st:ORG/NAME");
            }
            if (weights.isEmpty() && source != null) {
                throw new Setting.Wrong("source", "has no meaning without weights", "name their files, or remove it");
            }
            weights.forEach(file -> ModelFiles.refuseUnsafe("weights", file));
            require("family", family);
            require("heads", heads);
        }

        private static void require(String field, @Nullable Object value) {
            if (value == null) {
                throw new Setting.Wrong(field, "is missing", "give family and heads");
            }
        }

        Architecture of(ModelFiles model) {
            Family own = Objects.requireNonNull(family);
            return new Architecture(
                    own,
                    Objects.requireNonNull(heads),
                    Objects.requireNonNullElse(normEpsilon, own.epsilon()),
                    weights.isEmpty() ? Optional.empty() : Optional.of(model.weights(source, weights)));
        }
    }

    /**
     * Reads a recipe.
     *
     * @throws io.posbias.base.json.BadInputException if its {@code transformer} is of an unknown family
     */
    public static Architecture of(DenseRecipe recipe) {
        return Json.settings(recipe.settings().record(EvaluatedModel.TRANSFORMER), Written.class)
                .of(recipe.model().graph().plainFiles());
    }

    /** Returns true if separate weights are installed, or there are none. */
    boolean isLocal(Path home) {
        return weights.map(files -> files.isLocal(home)).orElse(true);
    }

    /**
     * Returns a SHA-256 of weights that may change under the same recipe.
     *
     * @return empty for none
     * @throws io.posbias.base.process.PosbiasException if a file is missing
     */
    public Optional<String> ownDigest(Path home) {
        return weights.flatMap(files -> files.ownWeightsDigest(home));
    }
}
