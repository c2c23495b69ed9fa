package io.posbias.encode.onnx;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How big a transformer is, which says what a token costs.
 *
 * @param parameters numbers of all its weights
 * @param embeddings how many of them are in tables that tokens and positions are looked up in, which multiplies nothing
 * @param layers how many times it attends
 * @param width numbers of a token's vector inside
 */
public record ModelSize(double parameters, double embeddings, int layers, int width) {
    /** The recipe's field. */
    public static final String FIELD = "size";

    private static final List<String> FIELDS = List.of("parameters", "embeddings", "layers", "width");

    /** ONNX's numbers for the types that weights have: 32- and 16-bit floats, bytes of quantised ones, bfloat16, doubles. */
    private static final Set<Integer> WEIGHT_TYPES = Set.of(1, 2, 3, 10, 11, 16);

    /** What attends, written out or as one operator of ONNX Runtime's. */
    private static final Set<String> ATTENDS =
            Set.of("Softmax", "Attention", "MultiHeadAttention", "GroupQueryAttention", "QAttention");

    /**
     * What a recipe says; empty where it says nothing.
     *
     * @throws io.posbias.BadInputException if a field is missing or makes no sense
     */
    public static Optional<ModelSize> of(Fields recipe) {
        if (!recipe.has(FIELD)) {
            return Optional.empty();
        }
        Fields size = recipe.record(FIELD);
        size.refuseOthers(FIELDS);
        double parameters = size.number("parameters");
        double embeddings = size.number("embeddings");
        if (!(parameters > 0)) {
            throw size.bad("parameters", "is " + parameters, "it must be positive");
        }
        if (!(embeddings >= 0 && embeddings < parameters)) {
            throw size.bad("embeddings", "is " + embeddings, "it is 0 or more and below the parameters");
        }
        return Optional.of(new ModelSize(parameters, embeddings, size.positive("layers"), size.positive("width")));
    }

    /** Counts the weights of a graph; those in files beside it by their shapes. */
    public static ModelSize of(ModelFiles files, Path home) {
        return ofGraph(files.graph(), files.read(files.graph(), home));
    }

    /**
     * Counts the weights of a graph.
     *
     * @param name what errors call it
     * @throws PosbiasException if it is no ONNX file
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
     * Floating-point operations of reading texts, a multiplication and an addition being two: 2 for each parameter that is
     * no embedding and each token, and 4 x layers x width for each two tokens of a text, whose vectors attention multiplies
     * twice. That is Table 1 of Kaplan et al. 2020 (arXiv:2001.08361) with both products of attention, and without the half
     * that a causal model could leave out.
     *
     * @param tokens of all texts
     * @param squares the sum of the squares of their lengths in tokens
     */
    public double flops(double tokens, double squares) {
        return 2 * (parameters - embeddings) * tokens + 4.0 * layers * width * squares;
    }
}
