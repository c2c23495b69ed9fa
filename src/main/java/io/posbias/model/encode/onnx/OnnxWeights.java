package io.posbias.model.encode.onnx;

import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.onnx.OnnxFile.Node;
import io.posbias.model.encode.onnx.OnnxFile.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Weights of an ONNX file by their names in PyTorch. Exporters keep most
 * names, but transpose and rename the matrix of a linear layer ({@code onnx::MatMul_787}). It is identified by its
 * bias: {@code Add(x.bias, MatMul(y, onnx::MatMul_787))} makes it {@code x.weight}; without a bias, by the node's
 * name, {@code /layers.0/mlp/up_proj/MatMul}.
 */
public final class OnnxWeights {
    private static final int FLOAT = 1;
    private static final int FLOAT16 = 10;
    private static final int BFLOAT16 = 16;

    private static final String WEIGHT = ".weight";
    private static final String BIAS = ".bias";

    /** Integer operators. */
    private static final Set<String> QUANTISED = Set.of(
            "DequantizeLinear", "DynamicQuantizeLinear", "MatMulInteger", "MatMulNBits", "QAttention", "QLinearMatMul");

    /** Operators that ONNX Runtime's optimizer merges from several. */
    private static final Set<String> FUSED = Set.of(
            "Attention",
            "BiasGelu",
            "EmbedLayerNormalization",
            "GroupQueryAttention",
            "SkipLayerNormalization",
            "SkipSimplifiedLayerNormalization");

    private final String name;
    private final byte[] file;
    private final Function<String, StoredFile> beside;
    private final Map<String, StoredTensor> places = new TreeMap<>();

    /**
     * @param transposed true if the file has rows for columns
     */
    private record StoredTensor(Tensor tensor, boolean transposed) {}

    /**
     * Reads a file.
     *
     * @param name in errors
     * @param beside opens a file of external data by its path relative to this file
     * @throws PosbiasException if it is not an ONNX file, or its weights are quantised or fused
     */
    OnnxWeights(String name, byte[] file, Function<String, StoredFile> beside) {
        this.name = name;
        this.file = file;
        this.beside = beside;
        OnnxFile onnx = OnnxFile.parse(name, file);
        onnx.nodes().forEach(this::refuseRewritten);
        onnx.initializers().forEach((key, tensor) -> {
            if (key.endsWith(WEIGHT) || key.endsWith(BIAS)) {
                places.put(key, new StoredTensor(tensor, false));
            }
        });
        nameMatrices(onnx.nodes(), onnx.initializers());
    }

    private void refuseRewritten(Node node) {
        if (QUANTISED.contains(node.operator())) {
            throw new PosbiasException(name + " is a quantised graph (it has " + node.operator() + "); give the model's"
                    + " float32 graph, or its safetensors file as transformer.weights");
        }
        if (node.domain().equals("com.microsoft") && FUSED.contains(node.operator())) {
            throw new PosbiasException(name + " was rewritten by ONNX Runtime's optimizer (it has " + node.operator()
                    + "), which merges weights; give the graph as it was exported, or the model's safetensors file as"
                    + " transformer.weights");
        }
    }

    private void nameMatrices(List<Node> nodes, Map<String, Tensor> found) {
        Map<String, String> products = new HashMap<>();
        for (Node node : nodes) {
            List<String> inputs = node.inputs();
            boolean product = (node.operator().equals("MatMul") && inputs.size() == 2)
                    || node.operator().equals("Gemm");
            if (product && found.containsKey(inputs.get(1))) {
                products.put(node.output(), inputs.get(1));
                name(node, found);
            } else if (node.operator().equals("Add") && inputs.size() == 2) {
                name(inputs.get(0), products.get(inputs.get(1)), found);
                name(inputs.get(1), products.get(inputs.get(0)), found);
            }
        }
    }

    /** Names the matrix of a product by its initializer, by the bias of a Gemm, or by the node's module. */
    private void name(Node node, Map<String, Tensor> found) {
        String matrix = node.inputs().get(1);
        StoredTensor place = new StoredTensor(Objects.requireNonNull(found.get(matrix)), node.number("transB", 0) == 0);
        String bias = node.inputs().size() > 2 ? node.inputs().get(2) : "";
        String module = node.name().replaceFirst("/(MatMul|Gemm)$", "");
        if (matrix.endsWith(WEIGHT)) {
            places.put(matrix, place);
        } else if (bias.endsWith(BIAS)) {
            places.put(weightBeside(bias), place);
        } else if (node.name().startsWith("/") && !module.equals(node.name())) {
            places.putIfAbsent(module.substring(1).replace('/', '.') + WEIGHT, place);
        }
    }

    private void name(String bias, @Nullable String matrix, Map<String, Tensor> found) {
        if (matrix != null && !matrix.endsWith(WEIGHT) && bias.endsWith(BIAS) && found.containsKey(bias)) {
            places.put(weightBeside(bias), new StoredTensor(Objects.requireNonNull(found.get(matrix)), true));
        }
    }

    private static String weightBeside(String bias) {
        return bias.substring(0, bias.length() - BIAS.length()) + WEIGHT;
    }

    public Set<String> names() {
        return places.keySet();
    }

    /**
     * Returns a weight in PyTorch's shape: (out, in) for a linear layer.
     *
     * @throws PosbiasException if it does not exist or is not stored as 32-bit floats
     */
    public Weight weight(String weight) {
        StoredTensor place = place(weight);
        Tensor tensor = place.tensor;
        StoredFile holder = tensor.file().isEmpty() ? StoredFile.of(name, file) : other(weight, tensor);
        float[] values = holder.floats(tensor.from(), (int) (tensor.bytes() / Float.BYTES), StoredFile.Floats.F32);
        return place.transposed ? turned(values, tensor.shape()) : new Weight(values, tensor.shape());
    }

    private StoredFile other(String weight, Tensor tensor) {
        StoredFile other = beside.apply(tensor.file());
        if (tensor.from() < 0 || tensor.from() > other.size() - tensor.bytes()) {
            throw new PosbiasException(
                    name + ": " + weight + " is outside " + other.name() + ", which has " + other.size() + " bytes");
        }
        return other;
    }

    private StoredTensor place(String weight) {
        StoredTensor place = Optional.ofNullable(places.get(weight))
                .orElseThrow(() -> new PosbiasException(name + " has no weight " + weight));
        Tensor tensor = place.tensor;
        if (tensor.type() == FLOAT16 || tensor.type() == BFLOAT16) {
            throw new PosbiasException(name + ": " + weight + " has 16-bit floats; give the model's float32 graph, or"
                    + " its safetensors file as transformer.weights");
        }
        if (tensor.type() != FLOAT) {
            throw new PosbiasException(
                    name + ": " + weight + " does not contain floats (a quantised graph?); give the model's"
                            + " float32 graph, or its safetensors file as transformer.weights");
        }
        if (tensor.count() * Float.BYTES != tensor.bytes()
                || (place.transposed && tensor.shape().size() != 2)) {
            throw new PosbiasException(
                    name + ": " + weight + " has " + tensor.bytes() + " bytes in the file, not as many as its shape "
                            + tensor.shape() + " says; give the model's safetensors file as transformer.weights");
        }
        return place;
    }

    private static Weight turned(float[] values, List<Integer> shape) {
        int rows = shape.get(0);
        int columns = shape.get(1);
        float[] turned = new float[values.length];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                turned[column * rows + row] = values[row * columns + column];
            }
        }
        return new Weight(turned, List.of(columns, rows));
    }
}
