package io.posbias.model.encode.check;

import io.posbias.base.json.Json;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A dense model of a few kilobytes: a table of word vectors, and what its fault does to them. */
public enum StandIn {
    SOUND("mean"),
    /** Each token sees itself and those before it, and the first one is pooled. */
    CAUSAL_POOLED_FIRST("cls"),
    /** Each token sees itself and those after it, and the last one is pooled. */
    LOSES_FIRST("last"),
    /** Each token sees all columns, padding too. */
    NO_MASK("mean"),
    /** Each text sees the others of its batch. */
    SEES_BATCH("mean"),
    /** Each token sees all columns before it, so padding may only come after. */
    RIGHT_ONLY("last");

    private static final int WIDTH = 8;

    private final String pooling;

    StandIn(String pooling) {
        this.pooling = pooling;
    }

    private static Map<String, Integer> vocabulary() {
        Map<String, Integer> ids = new LinkedHashMap<>();
        ids.put("[PAD]", 0);
        ids.put("[UNK]", 1);
        for (String text : CheckTexts.ALL) {
            for (String word : text.split(" ", -1)) {
                ids.putIfAbsent(word, ids.size());
            }
        }
        return ids;
    }

    public byte[] graph() {
        int words = vocabulary().size();
        float[] table = new float[words * WIDTH];
        Random random = new Random(7);
        for (int i = 0; i < table.length; i++) {
            table[i] = (float) random.nextGaussian();
        }
        OnnxGraph graph = new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "length")
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "length", WIDTH)
                .constant("table", table, words, WIDTH)
                .constant("one", new long[] {1})
                .constant("first", new long[] {0}, 1)
                .constant("second", new long[] {1}, 1);
        List<String> out = List.of("last_hidden_state");
        String gathered = this == SOUND ? "last_hidden_state" : "words";
        graph.node("Gather", List.of("table", "input_ids"), List.of(gathered));
        switch (this) {
            case SOUND -> {}
            case CAUSAL_POOLED_FIRST, RIGHT_ONLY -> graph.node("CumSum", List.of("words", "one"), out);
            case LOSES_FIRST -> graph.node("CumSum", List.of("words", "one"), out, new Attribute("reverse", 1));
            case NO_MASK ->
                graph.node("ReduceMean", List.of("words", "second"), List.of("mean"))
                        .node("Add", List.of("words", "mean"), out);
            case SEES_BATCH ->
                graph.node("ReduceMean", List.of("words", "first"), List.of("mean"))
                        .node("Add", List.of("words", "mean"), out);
        }
        return graph.toBytes();
    }

    public static byte[] tokenizer() {
        return Json.toBytes(Map.of(
                "version",
                "1.0",
                "added_tokens",
                List.of(),
                "pre_tokenizer",
                Map.of("type", "WhitespaceSplit"),
                "model",
                Map.of("type", "WordLevel", "vocab", vocabulary(), "unk_token", "[UNK]")));
    }

    public String recipe(String name, String source, String... more) {
        return "name: " + name + "\nkind: dense\nfamily: dense\nsource: " + source + "\nonnx: {float32: model.onnx}\n"
                + "max-tokens: 512\npooling: " + pooling + "\n" + (this == LOSES_FIRST ? "padding-side: left\n" : "")
                + String.join("\n", more) + "\n";
    }

    public Path write(Path folder, String name, String... more) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("model.onnx"), graph());
        Files.write(folder.resolve("tokenizer.json"), tokenizer());
        return Files.writeString(folder.resolve(name + ".yaml"), recipe(name, "{folder: .}", more));
    }
}
