package io.posbias.model.inside;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.score.result.EvaluatedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Field {@code transformer} of a recipe: the differentiable forward pass of a model. It is a TorchScript file of any
 * architecture, or a {@link Family}.
 *
 * @param family null for TorchScript
 * @param heads of each layer's attention; 0 for TorchScript
 * @param epsilon what a norm adds to the variance; 0 for TorchScript
 * @param torchscript path in the model's folder; empty for a family
 * @param weights safetensors files; empty for the weights in the TorchScript or ONNX file
 */
public record Architecture(
        @Nullable Family family, int heads, double epsilon, String torchscript, Optional<ModelFiles> weights) {
    /**
     * The field as written.
     *
     * @param normEpsilon null for the family's
     * @param source of the weights; null for the model's
     */
    record Written(
            @Nullable Family family,
            @Setting(least = 1) @Nullable Integer heads,
            @Setting(above = 0) @Nullable Double normEpsilon,
            @Nullable String torchscript,
            @Setting(usual = "[]") List<String> weights,
            @Nullable ModelSource source) {
        Written {
            if (weights.isEmpty() && source != null) {
                throw new Setting.Wrong("source", "has no meaning without weights", "name their files, or remove it");
            }
            weights.forEach(file -> ModelFiles.refuseUnsafe("weights", file));
            if (torchscript != null) {
                ModelFiles.refuseUnsafe("torchscript", torchscript);
            }
            requireIf(torchscript == null, "family", family);
            requireIf(torchscript == null, "heads", heads);
            if (torchscript != null && normEpsilon != null) {
                throw noMeaning("norm-epsilon");
            }
        }

        private static void requireIf(boolean family, String field, @Nullable Object value) {
            if (family && value == null) {
                throw new Setting.Wrong(field, "is missing", "give family and heads, or torchscript");
            }
            if (!family && value != null) {
                throw noMeaning(field);
            }
        }

        private static Setting.Wrong noMeaning(String field) {
            return new Setting.Wrong(field, "has no meaning with torchscript", "remove it");
        }

        Architecture of(ModelFiles model) {
            double usual = family == null ? 0 : family.epsilon();
            return new Architecture(
                    family,
                    Objects.requireNonNullElse(heads, 0),
                    Objects.requireNonNullElse(normEpsilon, usual),
                    Objects.requireNonNullElse(torchscript, ""),
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

    boolean weightsInGraph() {
        return torchscript.isEmpty() && weights.isEmpty();
    }

    /**
     * Returns true if the TorchScript file and the separate weights are installed.
     *
     * @param model the model's own files
     */
    boolean isLocal(ModelFiles model, Path home) {
        return (torchscript.isEmpty() || model.has(torchscript, home))
                && weights.map(files -> files.isLocal(home)).orElse(true);
    }

    /**
     * Returns a SHA-256 of the files that white-box analysis reads besides the model's own: a TorchScript file, and weights
     * that may change under the same recipe.
     *
     * @param model the model's own files
     * @return empty for none
     * @throws io.posbias.base.process.PosbiasException if a file is missing
     */
    public Optional<String> ownDigest(ModelFiles model, Path home) {
        List<String> digests = new ArrayList<>();
        if (!torchscript.isEmpty()) {
            digests.add(model.digest(torchscript, home));
        }
        weights.flatMap(files -> files.ownWeightsDigest(home)).ifPresent(digests::add);
        return digests.isEmpty() ? Optional.empty() : Optional.of(Checksums.sha256(digests.stream()));
    }
}
