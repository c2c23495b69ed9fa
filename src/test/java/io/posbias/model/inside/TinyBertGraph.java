package io.posbias.model.inside;

import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import java.util.List;

/** The tiny BERT of transformer_golden.py as an ONNX graph, node by node as exporters write it. */
public final class TinyBertGraph {
    private static final int WIDTH = 16;
    private static final int HEADS = 4;
    private static final int LAYERS = 2;

    private final Safetensors weights = new Safetensors("bert", TinyModels.golden(Family.BERT, ".safetensors"));
    private final OnnxGraph graph = new OnnxGraph();
    private final int words;
    private final int positions;
    private int nodes;

    private TinyBertGraph(int words, int positions) {
        this.words = words;
        this.positions = positions;
    }

    public static byte[] write() {
        return write(0, 0);
    }

    /** Returns the graph with tables of so many words and positions; 0 for the script's own. */
    public static byte[] write(int words, int positions) {
        return new TinyBertGraph(words, positions).whole();
    }

    private byte[] whole() {
        for (String input : List.of("input_ids", "attention_mask", "token_type_ids")) {
            graph.input(input, OnnxGraph.Type.INT64, "batch", "tokens");
        }
        graph.output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", WIDTH);
        String mask = node("Mul", node("Sub", cast("attention_mask"), number(1)), number(10_000));
        String bias = node("Reshape", mask, numbers(0, 1, 1, -1));
        String x = norm("embeddings.LayerNorm", embedded());
        for (int i = 0; i < LAYERS; i++) {
            x = layer("encoder.layer." + i + ".", x, bias);
        }
        graph.node("Identity", List.of(x), List.of("last_hidden_state"));
        return graph.toBytes();
    }

    private String embedded() {
        String words = node("Gather", weight("embeddings.word_embeddings.weight"), "input_ids");
        String types = node("Gather", weight("embeddings.token_type_embeddings.weight"), "token_type_ids");
        String ones = node("Add", node("Sub", "input_ids", "input_ids"), whole(1));
        String places = node("Sub", node("CumSum", ones, whole(1)), whole(1));
        String positions = node("Gather", weight("embeddings.position_embeddings.weight"), places);
        return node("Add", node("Add", words, types), positions);
    }

    private String layer(String at, String x, String bias) {
        String query = heads(linear(at + "attention.self.query", x), 0L, 2L, 1L, 3L);
        String key = heads(linear(at + "attention.self.key", x), 0L, 2L, 3L, 1L);
        String value = heads(linear(at + "attention.self.value", x), 0L, 2L, 1L, 3L);
        String scores = node("Div", node("MatMul", query, key), number((float) Math.sqrt(WIDTH / HEADS)));
        String attention = next();
        graph.node("Softmax", List.of(node("Add", scores, bias)), List.of(attention), new Attribute("axis", 3));
        String joined = turned(node("MatMul", attention, value), 0L, 2L, 1L, 3L);
        String mixed = node("Reshape", joined, numbers(0, 0, WIDTH));
        String middle =
                norm(at + "attention.output.LayerNorm", node("Add", linear(at + "attention.output.dense", mixed), x));
        String inner = linear(at + "intermediate.dense", middle);
        String erf = node("Add", node("Erf", node("Div", inner, number((float) Math.sqrt(2)))), number(1));
        String gelu = node("Mul", node("Mul", inner, erf), number(0.5f));
        return norm(at + "output.LayerNorm", node("Add", linear(at + "output.dense", gelu), middle));
    }

    private String heads(String x, Long... order) {
        return turned(node("Reshape", x, numbers(0, 0, HEADS, WIDTH / HEADS)), order);
    }

    private String turned(String x, Long... order) {
        String turned = next();
        graph.node("Transpose", List.of(x), List.of(turned), Attribute.list("perm", order));
        return turned;
    }

    private String linear(String name, String x) {
        String turned = turned(weight(name + ".weight"), 1L, 0L);
        return node("Add", node("MatMul", x, turned), weight(name + ".bias"));
    }

    private String norm(String name, String x) {
        String centred = node("Sub", x, node("ReduceMean", x, numbers(2)));
        String variance = node("ReduceMean", node("Mul", centred, centred), numbers(2));
        String scaled = node("Div", centred, node("Sqrt", node("Add", variance, number(1e-12f))));
        return node("Add", node("Mul", scaled, weight(name + ".weight")), weight(name + ".bias"));
    }

    private String cast(String x) {
        String cast = next();
        graph.node("Cast", List.of(x), List.of(cast), new Attribute("to", 1));
        return cast;
    }

    private String weight(String name) {
        Weight weight = weights.tensor("bert." + name);
        if (name.startsWith("embeddings.word_")) {
            weight = stretched(weight, words);
        } else if (name.startsWith("embeddings.position_")) {
            weight = stretched(weight, positions);
        }
        graph.constant(
                name,
                weight.values(),
                weight.shape().stream().mapToLong(size -> size).toArray());
        return name;
    }

    /** A table with more rows: further ones are the first again, their numbers shifted by one, then by two, and so on. */
    private static Weight stretched(Weight table, int rows) {
        int own = table.shape().getFirst();
        if (rows == 0) {
            return table;
        }
        float[] values = new float[rows * WIDTH];
        for (int i = 0; i < values.length; i++) {
            int row = i / WIDTH;
            values[i] = table.values()[row % own * WIDTH + (i + row / own) % WIDTH];
        }
        return new Weight(values, List.of(rows, WIDTH));
    }

    private String number(float value) {
        String name = next();
        graph.constant(name, new float[] {value});
        return name;
    }

    private String whole(long value) {
        String name = next();
        graph.constant(name, new long[] {value});
        return name;
    }

    private String numbers(long... values) {
        String name = next();
        graph.constant(name, values, values.length);
        return name;
    }

    private String node(String operator, String... inputs) {
        String output = next();
        graph.node(operator, List.of(inputs), List.of(output));
        return output;
    }

    private String next() {
        return "t" + nodes++;
    }
}
