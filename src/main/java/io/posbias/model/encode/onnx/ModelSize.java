package io.posbias.model.encode.onnx;

import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Size of a transformer, which determines the cost of a token.
 *
 * @param embeddings parameters in lookup tables of tokens and positions, which are not multiplied
 * @param layers number of attention layers
 * @param width numbers of a token's hidden vector
 */
public record ModelSize(
        @Setting(above = 0) double parameters,
        @Setting(least = 0) double embeddings,
        @Setting(least = 1) int layers,
        @Setting(least = 1) int width) {
    /** ONNX's numbers of weight types: 32- and 16-bit floats, bytes of quantised weights, bfloat16, doubles. */
    private static final Set<Integer> WEIGHT_TYPES = Set.of(1, 2, 3, 10, 11, 16);

    /** Attention, written out or as one operator of ONNX Runtime. */
    private static final Set<String> ATTENDS =
            Set.of("Softmax", "Attention", "MultiHeadAttention", "GroupQueryAttention", "QAttention");

    /** Counts the weights of a graph; external ones by their shapes. A table of vectors is looked up, not multiplied. */
    public static ModelSize of(ModelFiles files, Path home) {
        return files.isTable() ? new ModelSize(0, 0, 0, 0) : ofGraph(files.graph(), files.read(files.graph(), home));
    }

    /**
     * Counts the weights of a graph.
     *
     * @throws PosbiasException if it is not an ONNX file
     */
    static ModelSize ofGraph(String name, byte[] file) {
        OnnxFile onnx = OnnxFile.parse(name, file);
        Map<String, OnnxFile.Tensor> weights = new HashMap<>(onnx.initializers());
        weights.values().removeIf(tensor -> !WEIGHT_TYPES.contains(tensor.type()));
        List<OnnxFile.Tensor> tables = onnx.nodes().stream()
                .filter(node -> node.operator().equals("Gather"))
                .map(OnnxFile.Node::input)
                .distinct()
                .filter(weights::containsKey)
                .map(weights::get)
                .filter(table -> table.shape().size() == 2)
                .toList();
        return new ModelSize(
                weights.values().stream().mapToDouble(OnnxFile.Tensor::count).sum(),
                tables.stream().mapToDouble(OnnxFile.Tensor::count).sum(),
                onnx.nodes().stream()
                        .mapToInt(node -> ATTENDS.contains(node.operator()) ? 1 : 0)
                        .sum(),
                tables.stream().mapToInt(table -> table.shape().getLast()).max().orElse(0));
    }

    /**
     * Returns the floating-point operations of reading texts, where a multiplication and an addition are two: 2 per
     * non-embedding parameter and token, and 4 x layers x width per pair of tokens of a text, for the two products of
     * attention (Kaplan et al. 2020, arXiv:2001.08361, Table 1, with both products, and without the half that a causal
     * model can skip).
     *
     * @param tokens of all texts
     * @param squares sum of the squared lengths in tokens
     */
    public double flops(double tokens, double squares) {
        return 2 * (parameters - embeddings) * tokens + 4.0 * layers * width * squares;
    }
}
