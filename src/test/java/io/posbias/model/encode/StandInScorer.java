package io.posbias.model.encode;

import io.posbias.model.encode.check.CheckWords;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A reranker of a few hundred kilobytes: its logits are sums of random numbers of the words, but for its fault. */
public enum StandInScorer {
    SOUND,
    /** It counts padding too. */
    NO_MASK,
    /** Words count by their column, so padding may only come after. */
    RIGHT_ONLY,
    /** Each pair sees the others of its batch. */
    SEES_BATCH,
    /** What is behind the 32nd token is not read. */
    CUTS_END,
    /** Of each row only the last eight tokens are read. */
    CUTS_BEGINNING,
    /** Words of the first type are not read. */
    NO_QUERY,
    /** Only the first token is read. */
    EQUAL,
    /** As the sound one, with logits of 1/1024 of its. */
    SMALL,
    /** Its logits are all so large that a sigmoid makes them 1. */
    LARGE,
    NO_NUMBERS,
    /** Padding makes a row's logit no number. */
    PADDING_BREAKS;

    private static final int FLOAT = 1;
    private static final int INT64 = 7;
    private static final long KEPT = 32;
    private static final long LAST = 8;
    private static final float FAR = 40;

    public byte[] graph() {
        return sums(1).output("logits", OnnxGraph.Type.FLOAT, "batch", 1)
                .node("ReduceSum", List.of("seen", "along"), List.of("logits"), new Attribute("keepdims", 0))
                .toBytes();
    }

    /** The graph of a language model: logits of all its words at all places. */
    public byte[] causal() {
        return sums(CheckWords.size())
                .output("logits", OnnxGraph.Type.FLOAT, "batch", "length", CheckWords.size())
                .node("CumSum", List.of("seen", "one"), List.of("logits"))
                .toBytes();
    }

    private OnnxGraph sums(int width) {
        float[] numbers = CheckWords.numbers(width);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(numbers[i]);
        }
        OnnxGraph graph = CheckWords.table(width, numbers)
                .constant("one", new long[] {1})
                .constant("inward", new long[] {2}, 1)
                .constant("along", new long[] {1}, 1)
                .node("Equal", List.of("input_ids", "input_ids"), List.of("each"))
                .node("Cast", List.of("each"), List.of("ones"), new Attribute("to", INT64));
        weights(graph);
        graph.node("Cast", List.of("weights"), List.of("floats"), new Attribute("to", FLOAT))
                .node("Unsqueeze", List.of("floats", "inward"), List.of("weighted"))
                .node("Mul", List.of("words", "weighted"), List.of("alone"));
        if (this == PADDING_BREAKS) {
            return graph.node("Div", List.of("alone", "weighted"), List.of("seen"));
        }
        if (this == SEES_BATCH) {
            return graph.constant("rows", new long[] {0}, 1)
                    .node("ReduceSum", List.of("alone", "rows"), List.of("all"))
                    .node("Add", List.of("alone", "all"), List.of("seen"));
        }
        return graph.node("Identity", List.of("alone"), List.of("seen"));
    }

    private float number(float sound) {
        return switch (this) {
            case NO_NUMBERS -> Float.NaN;
            case LARGE -> FAR + sound;
            case SMALL -> sound / 1024;
            default -> sound;
        };
    }

    private void weights(OnnxGraph graph) {
        List<String> weights = List.of("weights");
        switch (this) {
            case SOUND, SEES_BATCH, SMALL, LARGE, NO_NUMBERS, PADDING_BREAKS ->
                graph.node("Identity", List.of("attention_mask"), weights);
            case NO_MASK -> graph.node("Identity", List.of("ones"), weights);
            case RIGHT_ONLY ->
                graph.node("CumSum", List.of("ones", "one"), List.of("columns"))
                        .node("Mul", List.of("columns", "attention_mask"), weights);
            case CUTS_END -> within(graph, KEPT, false);
            case CUTS_BEGINNING -> within(graph, LAST, true);
            case EQUAL -> within(graph, 1, false);
            case NO_QUERY ->
                graph.input("token_type_ids", OnnxGraph.Type.INT64, "batch", "length")
                        .node("Identity", List.of("token_type_ids"), weights);
        }
    }

    private static void within(OnnxGraph graph, long most, boolean fromEnd) {
        graph.constant("most", new long[] {most})
                .node(
                        "CumSum",
                        List.of("attention_mask", "one"),
                        List.of("place"),
                        new Attribute("reverse", fromEnd ? 1 : 0))
                .node("LessOrEqual", List.of("place", "most"), List.of("near"))
                .node("Cast", List.of("near"), List.of("inside"), new Attribute("to", INT64))
                .node("Mul", List.of("inside", "attention_mask"), List.of("weights"));
    }

    public Path write(Path folder, String name, String... more) throws IOException {
        return StandInRerankers.write(
                folder,
                name,
                graph(),
                CheckWords.tokenizer(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 256\n" + String.join("\n", more) + "\n");
    }

    public Path writeCausal(Path folder, String name, String... more) throws IOException {
        return StandInRerankers.write(
                folder,
                name,
                causal(),
                StandInTokenizers.bare(CheckWords.all()),
                "kind: causal-reranker\nfamily: reranker\nmax-tokens: 256\nprefix: \"the museum\"\n"
                        + "query-template: \"of {query} and {document}\"\nsuffix: \"yes or no\"\n\"yes\": \"yes\"\n"
                        + "logits: all\n" + String.join("\n", more) + "\n");
    }
}
