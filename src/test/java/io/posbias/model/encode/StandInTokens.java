package io.posbias.model.encode;

import io.posbias.model.encode.check.CheckWords;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A late-interaction model of a few kilobytes: a vector for every word, and what its fault makes of its neighbours. */
public enum StandInTokens {
    /** Each token sees all others of its text. */
    SOUND,
    /** Each token sees nothing but itself. */
    NO_CONTEXT,
    /** Each token sees itself and those before it. */
    CAUSAL,
    /** Each token sees itself and those after it. */
    LOOKS_AHEAD,
    /** Each token sees padding too. */
    NO_MASK,
    /** Each token sees the tokens in its place of the other texts. */
    SEES_BATCH,
    /** What is behind the 24th token is not read. */
    CUTS_END,
    /** The first four tokens of a row are not read. */
    CUTS_BEGINNING;

    private static final int WIDTH = 8;
    private static final int FLOAT = 1;
    private static final long KEPT = 24;
    private static final long LOST = 4;

    public byte[] graph() {
        List<String> out = List.of("last_hidden_state");
        OnnxGraph graph = CheckWords.table(WIDTH, CheckWords.numbers(WIDTH))
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "length", WIDTH)
                .constant("rows", new long[] {0}, 1)
                .constant("along", new long[] {1}, 1)
                .constant("one", new long[] {1})
                .node("CumSum", List.of("attention_mask", "one"), List.of("places"));
        read(graph);
        graph.node("ReduceSum", List.of("seen", "along"), List.of("sum"));
        switch (this) {
            case SOUND, CUTS_END, CUTS_BEGINNING -> graph.node("Add", List.of("seen", "sum"), out);
            case NO_CONTEXT -> graph.node("Identity", List.of("seen"), out);
            case CAUSAL -> graph.node("CumSum", List.of("seen", "one"), out);
            case LOOKS_AHEAD -> graph.node("CumSum", List.of("seen", "one"), out, new Attribute("reverse", 1));
            case NO_MASK ->
                graph.node("ReduceSum", List.of("words", "along"), List.of("all"))
                        .node("Add", List.of("words", "all"), out);
            case SEES_BATCH ->
                graph.node("ReduceSum", List.of("seen", "rows"), List.of("column"))
                        .node("Add", List.of("sum", "column"), out);
        }
        return graph.toBytes();
    }

    private void read(OnnxGraph graph) {
        graph.node("Cast", List.of("attention_mask"), List.of("attended"), new Attribute("to", FLOAT))
                .constant("kept", new long[] {KEPT}, 1)
                .constant("lost", new long[] {LOST}, 1);
        switch (this) {
            case CUTS_END -> graph.node("LessOrEqual", List.of("places", "kept"), List.of("inside"));
            case CUTS_BEGINNING -> graph.node("Greater", List.of("places", "lost"), List.of("inside"));
            default -> graph.node("Equal", List.of("places", "places"), List.of("inside"));
        }
        graph.constant("inward", new long[] {2}, 1)
                .node("Cast", List.of("inside"), List.of("near"), new Attribute("to", FLOAT))
                .node("Mul", List.of("attended", "near"), List.of("flat"))
                .node("Unsqueeze", List.of("flat", "inward"), List.of("mask"))
                .node("Mul", List.of("words", "mask"), List.of("seen"));
    }

    public Path write(Path folder, String name, String... more) throws IOException {
        return StandInRerankers.write(
                folder,
                name,
                graph(),
                CheckWords.tokenizer(),
                "kind: late-interaction\nfamily: late-interaction\nmax-tokens: 256\n" + String.join("\n", more) + "\n");
    }
}
