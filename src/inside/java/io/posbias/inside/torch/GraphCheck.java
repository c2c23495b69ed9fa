package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import io.posbias.PosbiasException;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.check.CheckTexts;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.encode.model.DenseSettings;
import io.posbias.encode.onnx.ModelFiles;
import io.posbias.encode.onnx.OnnxWeights;
import io.posbias.encode.onnx.Precision;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Check that a white box is the model of its recipe's ONNX file, which all other commands run. Weights of a TorchScript
 * file must equal those of the ONNX file to the bit, as one export writes both. The vectors of {@linkplain CheckTexts
 * eight texts} must agree up to rounding, so that a forward pass with other settings is found, too.
 */
final class GraphCheck {
    private final Recipe recipe;
    private final Engine engine;
    private final ModelFiles files;
    private final Map<Role, List<float[]>> expected = new EnumMap<>(Role.class);

    private GraphCheck(Recipe recipe, Engine engine, ModelFiles files) {
        this.recipe = recipe;
        this.engine = engine;
        this.files = files;
    }

    /** Encodes the texts with the ONNX file, which is closed before a white box of the same size is opened. */
    static GraphCheck of(Recipe recipe, Engine engine) {
        DenseSettings settings = DenseSettings.of(recipe.name(), recipe.settings());
        GraphCheck check = new GraphCheck(recipe, engine, settings.graph().files());
        List<Role> encoders = settings.queryFiles() == null ? List.of(Role.PASSAGE) : List.of(Role.values());
        try (DenseEncoder graph = new DenseEncoder(settings, engine)) {
            for (Role role : encoders) {
                List<float[]> vectors = new ArrayList<>();
                for (String text : CheckTexts.ALL) {
                    vectors.addAll(graph.vectors(List.of(graph.row(text, role)), role, false));
                }
                check.expected.put(role, vectors);
            }
        }
        return check;
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
        double most = 0;
        for (Map.Entry<Role, List<float[]>> role : expected.entrySet()) {
            for (int i = 0; i < CheckTexts.ALL.size(); i++) {
                float[] found = box.vector(CheckTexts.ALL.get(i), role.getKey());
                most = Math.max(most, distance(found, role.getValue().get(i)));
            }
        }
        double tolerance = tolerance(files.precision());
        if (!(most <= tolerance)) {
            throw new PosbiasException(String.format(
                    Locale.ROOT,
                    "%s: %s is another model than %s: the vectors of %d texts differ by up to %.2g of their length,"
                            + " rounding explains at most %s; %s",
                    recipe.name(),
                    script ? box.weightsFile() : "the transformer of its recipe",
                    files.graph(),
                    CheckTexts.ALL.size(),
                    most,
                    tolerance,
                    script
                            ? "export both at once (docs/own-model.md#export)"
                            : "are family, heads and weights those of the model?"));
        }
        return most;
    }

    /**
     * Returns the largest share that rounding explains. Float32: under 1e-6 for BERT and RoBERTa; int8: 0.06 to 0.12 for
     * the quantised graphs of all-minilm-l6-v2, bge-small-en-v1.5 and e5-small-v2.
     */
    private static double tolerance(Precision precision) {
        return switch (precision) {
            case FLOAT32 -> 0.001;
            case FLOAT16 -> 0.05;
            case INT8 -> 0.3;
        };
    }

    /** Returns the weights of the ONNX file; empty if they are quantised or merged by an optimiser. */
    private Optional<OnnxWeights> readable() {
        try {
            return files.precision() == Precision.FLOAT32
                    ? Optional.of(files.graphWeights(engine.home()))
                    : Optional.empty();
        } catch (PosbiasException rewritten) {
            return Optional.empty();
        }
    }

    /** Weights without a name in the graph, which its exporter merged or folded, are left to the vectors. */
    private void compareWeights(WhiteBox box, OnnxWeights graph) {
        Map<String, NDArray> own = box.parameters();
        String prefix = WeightFiles.prefix(files.graph(), graph.names(), box.table());
        WeightFiles.modules(graph.names(), prefix, own.keySet()).forEach((name, module) -> {
            float[] values = Objects.requireNonNull(own.get(module)).toFloatArray();
            if (!Arrays.equals(graph.weight(name).values(), values)) {
                throw new PosbiasException(recipe.name() + ": the weight " + name + " in " + files.graph()
                        + " differs from that in " + box.weightsFile()
                        + ": export both at once (docs/own-model.md#export)");
            }
        });
    }

    private static double distance(float[] a, float[] b) {
        if (a.length != b.length) {
            return Double.POSITIVE_INFINITY;
        }
        double difference = 0;
        double first = 0;
        double second = 0;
        for (int i = 0; i < a.length; i++) {
            difference += ((double) a[i] - b[i]) * ((double) a[i] - b[i]);
            first += (double) a[i] * a[i];
            second += (double) b[i] * b[i];
        }
        return difference == 0 ? 0 : Math.sqrt(difference / Math.max(first, second));
    }
}
