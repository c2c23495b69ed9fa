package io.posbias.model.encode.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Linear layer after the graph, {@code y = activation(W x + b)}, where the exported graph lacks it:
 * sentence-transformers' Dense module or ColBERT's projection. Safe for several threads.
 *
 * @param session closed with this
 * @param width numbers of an input vector
 * @param dimension numbers of an output vector
 */
public record LinearHead(OrtSession session, int width, int dimension) implements AutoCloseable {
    /**
     * A recipe's record of the layer.
     *
     * @param file a safetensors file of the model
     * @param weight name of the tensor of shape (out, in)
     * @param bias name of the tensor of shape (out); empty for none
     */
    public record HeadSettings(
            String file,
            @Setting(usual = "linear.weight") String weight,
            @Setting(usual = "''") String bias,
            @Setting(words = {"none", "tanh"}) String activation) {
        /** Returns true if the activation is the hyperbolic tangent. */
        public boolean tanh() {
            return activation.equals("tanh");
        }
    }

    public static LinearHead load(HeadSettings settings, ModelFiles files, OnnxRuntime runtime, Path home) {
        Safetensors tensors = files.tensors(settings.file, home);
        Weight weight = tensors.tensor(settings.weight);
        if (weight.shape().size() != 2) {
            throw new PosbiasException(
                    settings.file + ": " + settings.weight + " is not a matrix: its shape is " + weight.shape());
        }
        int out = weight.shape().get(0);
        int in = weight.shape().get(1);
        OnnxGraph graph = new OnnxGraph()
                .input("x", OnnxGraph.Type.FLOAT, "n", in)
                .output("y", OnnxGraph.Type.FLOAT, "n", out)
                .constant("w", weight.values(), out, in);
        List<String> inputs = List.of("x", "w");
        if (!settings.bias.isEmpty()) {
            graph.constant("b", tensors.tensor(settings.bias).values(), out);
            inputs = List.of("x", "w", "b");
        }
        graph.node("Gemm", inputs, List.of(settings.tanh() ? "linear" : "y"), new Attribute("transB", 1));
        if (settings.tanh()) {
            graph.node("Tanh", List.of("linear"), List.of("y"));
        }
        return new LinearHead(runtime.load(settings.file, graph.toBytes()), in, out);
    }

    /** Applies the layer to consecutive vectors. */
    public float[] apply(float[] vectors) {
        int rows = vectors.length / width;
        if (rows * width != vectors.length) {
            throw new PosbiasException(
                    "the head expects vectors of " + width + " numbers, the graph returns another size");
        }
        try (OnnxTensor input = OnnxTensor.createTensor(
                        OnnxRuntime.environment(), FloatBuffer.wrap(vectors), new long[] {rows, width});
                OrtSession.Result result = session.run(Map.of("x", input))) {
            float[] out = new float[rows * dimension];
            ((OnnxTensor) result.get(0)).getFloatBuffer().get(out);
            return out;
        } catch (OrtException failed) {
            throw new PosbiasException("the head failed: " + OnnxRuntime.line(failed), failed);
        }
    }

    @Override
    public void close() {
        OnnxRuntime.close("the head", session);
    }
}
