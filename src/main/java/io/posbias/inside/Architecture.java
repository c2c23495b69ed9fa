package io.posbias.inside;

import io.posbias.Checksums;
import io.posbias.Fields;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.retrieve.Recipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private static final String FIELD = Recipe.TRANSFORMER;
    private static final String TORCHSCRIPT = "torchscript";

    /**
     * Reads a recipe.
     *
     * @throws io.posbias.BadInputException if its {@code transformer} is of an unknown family
     */
    public static Architecture of(Fields recipe) {
        Fields fields = recipe.record(FIELD);
        List<String> files = fields.texts("weights");
        if (files.isEmpty() && fields.has("source")) {
            throw fields.bad("source", "has no meaning without weights", "name their files, or remove it");
        }
        Optional<ModelFiles> weights = files.isEmpty()
                ? Optional.empty()
                : Optional.of(ModelFiles.of(recipe.id("name"), recipe).weights(fields, files));
        if (fields.has(TORCHSCRIPT)) {
            fields.refuseOthers(List.of(TORCHSCRIPT, "weights", "source"));
            String file = fields.text(TORCHSCRIPT);
            ModelFiles.refuseUnsafe(fields, file);
            return new Architecture(null, 0, 0, file, weights);
        }
        fields.refuseOthers(List.of("family", "heads", "norm-epsilon", "weights", "source"));
        fields.text("family");
        Family family = fields.oneOf("family", Family.BERT, List.of(Family.values()));
        return new Architecture(
                family,
                positive(fields, "heads", fields.integer("heads")),
                positive(fields, "norm-epsilon", fields.number("norm-epsilon", family.epsilon())),
                "",
                weights);
    }

    /** Returns true if the weights are those of the ONNX file. */
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
     * @throws io.posbias.PosbiasException if a file is missing
     */
    public Optional<String> ownDigest(ModelFiles model, Path home) {
        List<String> digests = new ArrayList<>();
        if (!torchscript.isEmpty()) {
            digests.add(model.digest(torchscript, home));
        }
        weights.flatMap(files -> files.ownWeightsDigest(home)).ifPresent(digests::add);
        return digests.isEmpty() ? Optional.empty() : Optional.of(Checksums.sha256(digests.stream()));
    }

    private static <N extends Number> N positive(Fields fields, String name, N value) {
        if (!(value.doubleValue() > 0)) {
            throw fields.bad(name, "is " + value, "it must be positive");
        }
        return value;
    }
}
