package io.posbias.model.encode;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.model.CausalReranker;
import io.posbias.model.encode.model.CrossEncoder;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.RecipeCard;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Tiny models with known answers that go through the same code as real ones. Words a to h have the ids 5 to 12, [CLS] is 2,
 * [SEP] is 3; unless told otherwise the vector of a token is its id and 1.
 */
public final class StandIns {
    public static final List<String> WORDS = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    public static final int VOCABULARY = 13;

    public static final String PLAIN = "max-tokens: 64\nnormalise: false\nsimilarity: dot\n";

    private StandIns() {}

    /** The table of vectors: id and 1. */
    public static float[] table(int rows) {
        float[] table = new float[rows * 2];
        for (int id = 0; id < rows; id++) {
            table[2 * id] = id;
            table[2 * id + 1] = 1;
        }
        return table;
    }

    private static OnnxGraph inputs(OnnxGraph.Type type) {
        return new OnnxGraph()
                .input("input_ids", type, "batch", "tokens")
                .input("attention_mask", type, "batch", "tokens");
    }

    /** A vector for every token, looked up in a table of pairs. */
    public static byte[] lookup(float... table) {
        return inputs(OnnxGraph.Type.INT64)
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", table, table.length / 2, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("last_hidden_state"))
                .toBytes();
    }

    public static byte[] narrow() {
        return inputs(OnnxGraph.Type.INT32)
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", table(VOCABULARY), VOCABULARY, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("last_hidden_state"))
                .toBytes();
    }

    public static byte[] external(String file) {
        return inputs(OnnxGraph.Type.INT64)
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .external("table", file, 4L * 2 * VOCABULARY, VOCABULARY, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("last_hidden_state"))
                .toBytes();
    }

    /**
     * The lookup plus a number, which the graph takes as an input of its own.
     *
     * @param scalar whether that has no dimension, or one of a single number
     */
    public static byte[] byTask(boolean scalar) {
        OnnxGraph graph = inputs(OnnxGraph.Type.INT64);
        if (scalar) {
            graph.input("task_id", OnnxGraph.Type.INT64);
        } else {
            graph.input("task_id", OnnxGraph.Type.INT64, 1);
        }
        return graph.output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", table(VOCABULARY), VOCABULARY, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("vectors"))
                .node("Cast", List.of("task_id"), List.of("task"), new Attribute("to", 1))
                .node("Add", List.of("vectors", "task"), List.of("last_hidden_state"))
                .toBytes();
    }

    /** One vector for a text: the sum over its tokens. */
    public static byte[] pooled() {
        return inputs(OnnxGraph.Type.INT64)
                .output("sentence_embedding", OnnxGraph.Type.FLOAT, "batch", 2)
                .constant("table", table(VOCABULARY), VOCABULARY, 2)
                .constant("along", new long[] {1}, 1)
                .constant("inward", new long[] {2}, 1)
                .node("Cast", List.of("attention_mask"), List.of("mask"), new Attribute("to", 1))
                .node("Unsqueeze", List.of("mask", "inward"), List.of("weights"))
                .node("Gather", List.of("table", "input_ids"), List.of("vectors"))
                .node("Mul", List.of("vectors", "weights"), List.of("seen"))
                .node(
                        "ReduceSum",
                        List.of("seen", "along"),
                        List.of("sentence_embedding"),
                        new Attribute("keepdims", 0))
                .toBytes();
    }

    /** A vector for every token that holds what the graph was given: id, mask, type, position, size of the past. */
    public static byte[] echo() {
        OnnxGraph graph = inputs(OnnxGraph.Type.INT64)
                .input("token_type_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("position_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("past_key_values.0.key", OnnxGraph.Type.FLOAT, "batch", 2, "past", 4)
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 5)
                .constant("inward", new long[] {2}, 1)
                .constant("third", new long[] {2})
                .node("Shape", List.of("past_key_values.0.key"), List.of("shape"))
                .node("Gather", List.of("shape", "third"), List.of("past"))
                .node("Sub", List.of("input_ids", "input_ids"), List.of("zeros"))
                .node("Add", List.of("zeros", "past"), List.of("pasts"));
        List<String> parts = List.of("input_ids", "attention_mask", "token_type_ids", "position_ids", "pasts");
        for (String part : parts) {
            graph.node("Cast", List.of(part), List.of(part + "f"), new Attribute("to", 1));
            graph.node("Unsqueeze", List.of(part + "f", "inward"), List.of(part + "u"));
        }
        return graph.node(
                        "Concat",
                        parts.stream().map(part -> part + "u").toList(),
                        List.of("last_hidden_state"),
                        new Attribute("axis", 2))
                .toBytes();
    }

    public static byte[] narrowVectors() {
        return inputs(OnnxGraph.Type.INT64)
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 1)
                .constant("inward", new long[] {2}, 1)
                .node("Cast", List.of("input_ids"), List.of("ids"), new Attribute("to", 1))
                .node("Unsqueeze", List.of("ids", "inward"), List.of("last_hidden_state"))
                .toBytes();
    }

    public static byte[] strange() {
        return inputs(OnnxGraph.Type.INT64)
                .input("token_colour", OnnxGraph.Type.INT64, "batch", "tokens")
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", table(VOCABULARY), VOCABULARY, 2)
                .node("Add", List.of("input_ids", "token_colour"), List.of("coloured"))
                .node("Gather", List.of("table", "coloured"), List.of("last_hidden_state"))
                .toBytes();
    }

    /** The lookup, and behind it so many operators in a row that change nothing. */
    public static byte[] deep(int operators) {
        OnnxGraph graph = inputs(OnnxGraph.Type.INT64)
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", table(VOCABULARY), VOCABULARY, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("v0"));
        for (int i = 0; i < operators; i++) {
            graph.node("Abs", List.of("v" + i), List.of("v" + (i + 1)));
        }
        return graph.node("Identity", List.of("v" + operators), List.of("last_hidden_state"))
                .toBytes();
    }

    public static byte[] twoOutputs() {
        return inputs(OnnxGraph.Type.INT64)
                .output("left", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .output("right", OnnxGraph.Type.FLOAT, "batch", "tokens", 2)
                .constant("table", table(VOCABULARY), VOCABULARY, 2)
                .node("Gather", List.of("table", "input_ids"), List.of("left"))
                .node("Neg", List.of("left"), List.of("right"))
                .toBytes();
    }

    public static Fields write(Path folder, byte[] graph, String settings) {
        try {
            Files.createDirectories(folder);
            Files.write(folder.resolve("model.onnx"), graph);
            Files.write(
                    folder.resolve("tokenizer.json"), WordTokenizer.of(WORDS).toJson());
            return Json.readYaml(Files.writeString(
                    folder.resolve("recipe.yaml"),
                    "name: stand-in\nkind: dense\nsource:\n  folder: .\nonnx:\n  float32: model.onnx\n" + settings));
        } catch (IOException refused) {
            throw new java.io.UncheckedIOException(refused);
        }
    }

    public static DenseEncoder open(Path folder, byte[] graph, String settings) {
        return new DenseEncoder(dense(write(folder, graph, settings)), engine(folder, 2, 0));
    }

    private record Tokens(
            @JsonUnwrapped RecipeCard card, @JsonUnwrapped TokenEncoder.TokenSettings model) {}

    private record Pairs(
            @JsonUnwrapped RecipeCard card, @JsonUnwrapped CrossEncoder model) {}

    private record Answers(
            @JsonUnwrapped RecipeCard card, @JsonUnwrapped CausalReranker model) {}

    /** The settings of a dense recipe, whose name may be missing. */
    public static DenseSettings dense(Fields recipe) {
        return ((DenseRecipe) RecipeBook.read(named(recipe, "dense"))).model();
    }

    /** As {@link #dense}, of a recipe of late interaction. */
    public static TokenEncoder.TokenSettings tokens(Fields recipe) {
        return Json.settings(named(recipe, "late-interaction"), Tokens.class).model();
    }

    public static CrossEncoder pairs(Fields recipe) {
        return Json.settings(named(recipe, "cross-encoder"), Pairs.class).model();
    }

    public static CausalReranker answers(Fields recipe) {
        return Json.settings(named(recipe, "causal-reranker"), Answers.class).model();
    }

    private static Fields named(Fields recipe, String kind) {
        SequencedMap<String, @Nullable Object> fields = recipe.toMap();
        fields.putIfAbsent("name", "stand-in");
        fields.putIfAbsent("kind", kind);
        return new Fields(recipe.where(), fields);
    }

    public static Engine engine(Path home, int threads, int batchTokens) {
        return new Engine(Device.CPU, threads, batchTokens, false, CallLimit.none(), Sessions.in(home));
    }

    public static float[][] encode(TextEncoder encoder, Role role, String... texts) {
        float[][] vectors = new float[texts.length][];
        encoder.prepare(List.of(texts), role).run(batch -> {
            synchronized (vectors) {
                batch.forEach(one -> vectors[one.text()] = one.vectors());
            }
        });
        return vectors;
    }
}
