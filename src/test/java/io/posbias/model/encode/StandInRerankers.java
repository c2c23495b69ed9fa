package io.posbias.model.encode;

import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Graphs of a few nodes that do what late interaction, cross-encoders and language models do. */
public final class StandInRerankers {
    public static final int WIDTH = 16;

    private static final int FLOAT = 1;

    private StandInRerankers() {}

    private static OnnxGraph inputs() {
        return new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("attention_mask", OnnxGraph.Type.INT64, "batch", "tokens")
                .constant("along", new long[] {1}, 1)
                .constant("inward", new long[] {2}, 1);
    }

    /**
     * A vector for every token, random ones for different words.
     *
     * @param words after the special tokens
     * @param twins words with the vector of another
     */
    public static byte[] tokens(List<String> words, Map<String, String> twins) {
        int first = WordTokenizer.SPECIAL.size();
        float[] table = new float[(first + words.size()) * WIDTH];
        Random random = new Random(11);
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) random.nextGaussian();
        }
        twins.forEach((twin, word) -> System.arraycopy(
                table, (first + words.indexOf(word)) * WIDTH, table, (first + words.indexOf(twin)) * WIDTH, WIDTH));
        return inputs().output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", WIDTH)
                .constant("table", table, table.length / WIDTH, WIDTH)
                .node("Gather", List.of("table", "input_ids"), List.of("last_hidden_state"))
                .toBytes();
    }

    /**
     * How many of the query's tokens are in the passage, as token types tell the two apart.
     *
     * @param vocabulary how many tokens there are, special ones included; these are not counted
     * @param outputs how many logits: 1 for a sound cross-encoder
     */
    public static byte[] overlap(int vocabulary, int outputs) {
        float[] counts = new float[vocabulary];
        for (int id = WordTokenizer.SPECIAL.size(); id < vocabulary; id++) {
            counts[id] = 1;
        }
        OnnxGraph graph = inputs().input("token_type_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .output("logits", OnnxGraph.Type.FLOAT, "batch", outputs)
                .constant("counts", counts, vocabulary)
                .constant("one", new float[] {1}, 1)
                .node("Gather", List.of("counts", "input_ids"), List.of("words"))
                .node("Cast", List.of("token_type_ids"), List.of("second"), new Attribute("to", FLOAT))
                .node("Sub", List.of("one", "second"), List.of("first"))
                .node("Mul", List.of("words", "first"), List.of("query"))
                .node("Mul", List.of("words", "second"), List.of("passage"))
                .node("Unsqueeze", List.of("input_ids", "inward"), List.of("downIds"))
                .node("Unsqueeze", List.of("input_ids", "along"), List.of("acrossIds"))
                .node("Equal", List.of("downIds", "acrossIds"), List.of("same"))
                .node("Cast", List.of("same"), List.of("pairs"), new Attribute("to", FLOAT))
                .node("Unsqueeze", List.of("passage", "along"), List.of("across"))
                .node("Mul", List.of("pairs", "across"), List.of("found"))
                .node("ReduceMax", List.of("found", "inward"), List.of("best"), new Attribute("keepdims", 0))
                .node("Mul", List.of("best", "query"), List.of("matches"));
        if (outputs == 1) {
            return graph.node("ReduceSum", List.of("matches", "along"), List.of("logits"))
                    .toBytes();
        }
        return graph.node("ReduceSum", List.of("matches", "along"), List.of("sum"))
                .node("Concat", List.of("sum", "sum"), List.of("logits"), new Attribute("axis", 1))
                .toBytes();
    }

    public enum Logits {
        /** The columns of its table, for the last position. */
        LAST,
        /** The same for all positions; padding gets zeros. */
        ALL
    }

    /**
     * The logits at a position are the sums of a table's rows over the tokens up to there.
     *
     * @param table a row for each token of the vocabulary
     * @param width how many logits
     */
    public static byte[] causal(Logits logits, int width, float... table) {
        OnnxGraph graph = inputs().constant("table", table, table.length / width, width)
                .constant("axis", new long[] {1})
                .node("Gather", List.of("table", "input_ids"), List.of("all"))
                .node("Cast", List.of("attention_mask"), List.of("flat"), new Attribute("to", FLOAT))
                .node("Unsqueeze", List.of("flat", "inward"), List.of("mask"))
                .node("Mul", List.of("all", "mask"), List.of("seen"));
        if (logits == Logits.LAST) {
            return graph.output("logits", OnnxGraph.Type.FLOAT, "batch", width)
                    .node("ReduceSum", List.of("seen", "along"), List.of("logits"), new Attribute("keepdims", 0))
                    .toBytes();
        }
        return graph.output("logits", OnnxGraph.Type.FLOAT, "batch", "tokens", width)
                .node("CumSum", List.of("seen", "axis"), List.of("sums"))
                .node("Mul", List.of("sums", "mask"), List.of("logits"))
                .toBytes();
    }

    public static Path write(Path folder, String name, byte[] graph, byte[] tokenizer, String settings)
            throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("model.onnx"), graph);
        Files.write(folder.resolve("tokenizer.json"), tokenizer);
        return Files.writeString(
                folder.resolve(name + ".yaml"),
                "name: " + name + "\nsource: {folder: .}\nonnx: {float32: model.onnx}\n" + settings);
    }
}
