package io.posbias.model.inside.torch;

import io.posbias.model.inside.WeightFiles;
import io.posbias.model.inside.WhiteBoxEngine;
import ai.djl.ndarray.NDArray;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.check.SameVectors;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.retrieve.Recipe;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Check that a white box is the model of its recipe's ONNX file, which all other commands run. Weights of a TorchScript
 * file must equal those of the ONNX file to the bit, as one export writes both. Vectors must agree up to rounding, so that a
 * forward pass with other settings is found, too.
 *
 * @param vectors of the ONNX file
 */
record GraphCheck(Recipe recipe, Engine engine, ModelFiles files, SameVectors vectors) {
    /** Runs the ONNX file, and closes it before a white box of the same size is opened. */
    static GraphCheck of(Recipe recipe, Engine engine) {
        DenseSettings settings = WhiteBoxEngine.check(recipe, engine.session()).model();
        return new GraphCheck(recipe, engine, settings.graph().files(), SameVectors.of(settings, engine));
    }

    /**
     * Compares a white box with the ONNX file.
     *
     * @return the largest distance of two vectors, as a share of their length
     * @throws PosbiasException if they are of different models
     */
    double compare(WhiteBox box) {
        boolean script = box.isTorchScript();
        if (script) {
            readable().ifPresent(graph -> compareWeights(box, graph));
        }
        double distance = vectors.distance(box::vector);
        if (!(distance <= vectors.rounding())) {
            throw new PosbiasException(String.format(
                    Locale.ROOT,
                    "%s: %s is another model than %s: the vectors of eight texts differ by up to %.2g of their length,"
                            + " rounding explains at most %s; %s",
                    recipe.name(),
                    script ? box.weightsFile() : "the transformer of its recipe",
                    files.graph(),
                    distance,
                    vectors.rounding(),
                    script
                            ? "export both at once (docs/own-model.md#export)"
                            : "are family, heads and weights those of the model?"));
        }
        return distance;
    }

    /** Returns the weights of the ONNX file; empty if they are quantised or merged by an optimiser. */
    private Optional<OnnxWeights> readable() {
        try {
            return Optional.of(files.graphWeights(engine.home()));
        } catch (PosbiasException rewritten) {
            return Optional.empty();
        }
    }

    /** Weights that the graph does not name, as its exporter merged or folded them, are left to the vectors. */
    private void compareWeights(WhiteBox box, OnnxWeights graph) {
        Map<String, NDArray> own = box.parameters();
        String prefix = WeightFiles.prefix(files.graph(), graph.names(), box.table());
        WeightFiles.modules(graph.names(), prefix, own.keySet()).forEach((name, module) -> {
            float[] values = Objects.requireNonNull(own.get(module)).toFloatArray();
            if (graph.isFloat(name) && !Arrays.equals(graph.weight(name).values(), values)) {
                throw new PosbiasException(recipe.name() + ": the weight " + name + " in " + files.graph()
                        + " differs from that in " + box.weightsFile()
                        + ": export both at once (docs/own-model.md#export)");
            }
        });
    }
}
