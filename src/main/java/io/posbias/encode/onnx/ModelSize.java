package io.posbias.encode.onnx;

import io.posbias.Fields;
import io.posbias.PosbiasException;
import java.nio.file.Path;
import java.util.ArrayList;
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
        Counter counter = new Counter();
        try {
            MessageReader model = new MessageReader(file, 0, file.length);
            while (model.next()) {
                if (model.field == 7) {
                    counter.graph(new MessageReader(file, model.from, model.to));
                }
            }
        } catch (IndexOutOfBoundsException torn) {
            throw new PosbiasException(name + " is no whole ONNX file", torn);
        }
        return counter.size();
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

    /** Adds up what is in a graph; tables are known when its nodes are. */
    private static final class Counter {
        private final Map<String, List<Integer>> shapes = new HashMap<>();
        private final List<String> tables = new ArrayList<>();
        private int layers;

        void graph(MessageReader graph) {
            while (graph.next()) {
                MessageReader part = new MessageReader(graph.file, graph.from, graph.to);
                if (graph.field == 5) {
                    tensor(part);
                } else if (graph.field == 1) {
                    node(part);
                }
            }
        }

        private void tensor(MessageReader tensor) {
            List<Integer> shape = new ArrayList<>();
            String name = "";
            int type = 0;
            while (tensor.next()) {
                switch (tensor.field) {
                    case 1 -> tensor.numbers(shape);
                    case 2 -> type = (int) tensor.value;
                    case 8 -> name = tensor.text();
                    default -> {}
                }
            }
            if (WEIGHT_TYPES.contains(type)) {
                shapes.put(name, shape);
            }
        }

        private void node(MessageReader node) {
            String first = "";
            String operator = "";
            while (node.next()) {
                if (node.field == 1 && first.isEmpty()) {
                    first = node.text();
                } else if (node.field == 4) {
                    operator = node.text();
                }
            }
            layers += ATTENDS.contains(operator) ? 1 : 0;
            if (operator.equals("Gather")) {
                tables.add(first);
            }
        }

        ModelSize size() {
            double all = shapes.values().stream().mapToDouble(Counter::count).sum();
            List<List<Integer>> gathered = tables.stream()
                    .distinct()
                    .filter(shapes::containsKey)
                    .map(shapes::get)
                    .filter(shape -> shape.size() == 2)
                    .toList();
            return new ModelSize(
                    all,
                    gathered.stream().mapToDouble(Counter::count).sum(),
                    layers,
                    gathered.stream().mapToInt(List::getLast).max().orElse(0));
        }

        private static double count(List<Integer> shape) {
            return shape.stream().mapToDouble(size -> size).reduce(1, (a, b) -> a * b);
        }
    }
}
