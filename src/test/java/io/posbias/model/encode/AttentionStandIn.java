package io.posbias.model.encode;

import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.util.Arrays;
import java.util.List;

/**
 * A graph of one attention of one head whose vectors are its attention: number i of a token's vector is how much it attends to
 * token i of the vocabulary of {@link StandIns}, which is proportional to a weight of that token.
 */
public final class AttentionStandIn {
    private static final int TOKENS = StandIns.VOCABULARY;
    private static final int FLOAT16 = 10;

    private float[] logits = new float[TOKENS];
    private boolean masked = true;
    private boolean narrow;
    private boolean quantised;
    private boolean headless;
    private String external = "";
    private String softmax = "Softmax";
    private String mask = "attention_mask";

    /**
     * @param weights of [CLS], [SEP], a, b, …; 1 for those that are left out
     */
    public static AttentionStandIn of(double... weights) {
        AttentionStandIn graph = new AttentionStandIn();
        for (int i = 0; i < weights.length; i++) {
            graph.logits[i < 2 ? i + 2 : i + 3] = (float) Math.max(-200, Math.log(weights[i]));
        }
        return graph;
    }

    /** Tokens attend to padding too. */
    public AttentionStandIn unmasked() {
        masked = false;
        return this;
    }

    public AttentionStandIn narrow() {
        narrow = true;
        return this;
    }

    /** Values by a product of whole numbers, as dynamic quantisation makes it. */
    public AttentionStandIn quantised() {
        quantised = true;
        return this;
    }

    public AttentionStandIn headless() {
        headless = true;
        return this;
    }

    /** Logits in a file beside the graph. */
    public AttentionStandIn external(String file) {
        external = file;
        return this;
    }

    public AttentionStandIn softmax(String operator) {
        softmax = operator;
        return this;
    }

    public AttentionStandIn mask(String name) {
        mask = name;
        return this;
    }

    public float[] logits() {
        return logits.clone();
    }

    public byte[] toBytes() {
        OnnxGraph graph = new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input(mask, OnnxGraph.Type.INT64, "batch", "tokens")
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", TOKENS)
                .constant("ones", filled(1), TOKENS, 1)
                .constant("values", identity(), TOKENS, TOKENS);
        if (external.isEmpty()) {
            graph.constant("logits", logits, TOKENS, 1);
        } else {
            graph.external("logits", external, 4L * TOKENS, TOKENS, 1);
        }
        heads(graph, "query", "ones", 0, 2, 1, 3);
        heads(graph, "key", "logits", 0, 2, 3, 1);
        heads(graph, "value", "values", 0, 2, 1, 3);
        scores(graph);
        String given = quantised ? quantisedValues(graph) : "value";
        graph.node("MatMul", List.of("attention", given), List.of("mixed"))
                .node("Transpose", List.of("mixed"), List.of("joined"), perm(0, 2, 1, 3))
                .constant("as-vectors", new long[] {0, -1, TOKENS}, 3)
                .node("Reshape", List.of("joined", "as-vectors"), List.of("vectors"))
                .node("Cast", List.of("vectors"), List.of("last_hidden_state"), new Attribute("to", 1));
        return graph.toBytes();
    }

    private Attribute perm(long... axes) {
        long[] order = headless ? Arrays.stream(axes).filter(axis -> axis != 1).toArray() : axes;
        return Attribute.list(
                "perm",
                Arrays.stream(order)
                        .map(axis -> headless && axis > 0 ? axis - 1 : axis)
                        .boxed()
                        .toArray(Long[]::new));
    }

    private void heads(OnnxGraph graph, String name, String table, long... axes) {
        long[] shape = headless ? new long[] {0, 0, -1} : new long[] {0, 0, 1, -1};
        graph.node("Gather", List.of(table, "input_ids"), List.of(name + "-rows"))
                .node(
                        "Cast",
                        List.of(name + "-rows"),
                        List.of(name + "-cast"),
                        new Attribute("to", narrow ? FLOAT16 : 1))
                .constant(name + "-shape", shape, shape.length)
                .node("Reshape", List.of(name + "-cast", name + "-shape"), List.of(name + "-heads"))
                .node("Transpose", List.of(name + "-heads"), List.of(name), perm(axes));
    }

    private void scores(OnnxGraph graph) {
        graph.node("MatMul", List.of("query", "key"), List.of("product"))
                .node("Cast", List.of(mask), List.of("real"), new Attribute("to", 1))
                .constant("one", new float[] {1})
                .constant("much", new float[] {masked ? 10_000 : 0})
                .node("Sub", List.of("real", "one"), List.of("padding"))
                .node("Mul", List.of("padding", "much"), List.of("hidden"))
                .node("Cast", List.of("hidden"), List.of("bias-row"), new Attribute("to", narrow ? FLOAT16 : 1));
        long[] shape = headless ? new long[] {0, 1, -1} : new long[] {0, 1, 1, -1};
        graph.constant("bias-shape", shape, shape.length)
                .node("Reshape", List.of("bias-row", "bias-shape"), List.of("bias"))
                .node("Add", List.of("product", "bias"), List.of("scores"))
                .node(softmax, List.of("scores"), List.of("attention"), new Attribute("axis", -1));
    }

    /** The values times a matrix of ones in its diagonal, in bytes. */
    private static String quantisedValues(OnnxGraph graph) {
        graph.node("Cast", List.of("values"), List.of("weight"), new Attribute("to", 3))
                .node("DynamicQuantizeLinear", List.of("value"), List.of("bytes", "scale", "zero"))
                .node("MatMulInteger", List.of("bytes", "weight", "zero"), List.of("whole"))
                .node("Cast", List.of("whole"), List.of("wide"), new Attribute("to", 1))
                .node("Mul", List.of("wide", "scale"), List.of("scaled"));
        return "scaled";
    }

    private static float[] filled(float value) {
        float[] all = new float[TOKENS];
        Arrays.fill(all, value);
        return all;
    }

    private static float[] identity() {
        float[] all = new float[TOKENS * TOKENS];
        for (int i = 0; i < TOKENS; i++) {
            all[i * TOKENS + i] = 1;
        }
        return all;
    }
}
