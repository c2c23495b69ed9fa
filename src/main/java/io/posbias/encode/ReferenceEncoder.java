package io.posbias.encode;

import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.encode.OnnxGraph.Attribute;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A model whose position bias is known because it was built in: a bag of words whose tokens weigh more or less by where
 * they stand. It goes through the same code as any other model and is what a measure of bias can be held against.
 *
 * <p>A word's vector is a random projection of it, signs of 1/sqrt(dimension) (Achlioptas 2003), so that different words
 * are nearly orthogonal; a text's vector is the mean of its tokens'. Special tokens and unknown words have a vector of
 * zeros. A token at {@code x}, 0 for the first of its own text and 1 for the last, weighs exp(-strength * distance(x)).
 *
 * @param name the recipe's name
 * @param shape where tokens weigh most
 * @param strength how fast the weight falls; 0 is flat, 1 leaves 37 % at the far end, 2 leaves 14 %
 * @param dimension numbers of a vector; the fewer, the more words are taken for one another
 * @param seed of the words' vectors
 * @param maxTokens the recipe's limit of tokens
 */
public record ReferenceEncoder(String name, Shape shape, double strength, int dimension, long seed, int maxTokens) {
    /** The recipe among the files. */
    public static final String RECIPE = "recipe.yaml";

    private static final String GRAPH = "model.onnx";

    /** Where tokens weigh most. */
    public enum Shape {
        /** Nowhere: all weigh the same. */
        FLAT,
        /** At the beginning. */
        PRIMACY,
        /** At the end. */
        RECENCY,
        /** In the middle. */
        MIDDLE
    }

    /** Refuses what no graph can be made of. */
    public ReferenceEncoder {
        if (dimension < 1 || !(strength >= 0) || Double.isInfinite(strength)) {
            throw new IllegalArgumentException("dimension " + dimension + ", strength " + strength);
        }
    }

    /**
     * Writes graph, tokenizer and recipe.
     *
     * @param folder made if it is not there
     * @param words what it shall know; others are silent. {@link WordTokenizer#words} takes them from texts
     * @return the recipe's file
     */
    public Path write(Path folder, Collection<String> words) {
        WordTokenizer tokenizer = WordTokenizer.of(words);
        try {
            Files.createDirectories(folder);
            Files.write(folder.resolve("tokenizer.json"), tokenizer.toJson());
            Files.write(folder.resolve(GRAPH), graph(tokenizer.size()));
            return Files.writeString(folder.resolve(RECIPE), Json.toYaml(recipe()), StandardCharsets.UTF_8);
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", folder, refused), refused);
        }
    }

    private Map<String, Object> recipe() {
        Map<String, Object> recipe = new LinkedHashMap<>();
        recipe.put("name", name);
        recipe.put("kind", "dense");
        recipe.put("family", "reference");
        recipe.put("description", "a bag of words, " + shape.name().toLowerCase(Locale.ROOT) + " " + strength);
        recipe.put("source", Map.of("folder", "."));
        recipe.put("onnx", Map.of("float32", GRAPH));
        recipe.put("max-tokens", maxTokens);
        recipe.put("pooling", "mean");
        recipe.put("dimension", dimension);
        return recipe;
    }

    private byte[] graph(int vocabulary) {
        OnnxGraph graph = new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("attention_mask", OnnxGraph.Type.INT64, "batch", "tokens")
                .output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", dimension)
                .constant("embeddings", embeddings(vocabulary), vocabulary, dimension)
                .constant("along", new long[] {1}, 1)
                .constant("inward", new long[] {2}, 1)
                .constant("one", new float[] {1})
                .constant("two", new float[] {2})
                .constant("steepness", new float[] {(float) -strength})
                // x: 0 for a text's first token, 1 for its last, wherever padding stands.
                .node("Cast", List.of("attention_mask"), List.of("mask"), Attribute.of("to", 1))
                .node("CumSum", List.of("mask", "along"), List.of("count"))
                .node("Sub", List.of("count", "one"), List.of("position"))
                .node("ReduceSum", List.of("mask", "along"), List.of("length"), Attribute.of("keepdims", 1))
                .node("Sub", List.of("length", "one"), List.of("last"))
                .node("Max", List.of("last", "one"), List.of("span"))
                .node("Div", List.of("position", "span"), List.of("x"));
        distance(graph);
        return graph.node("Mul", List.of("distance", "steepness"), List.of("logarithm"))
                .node("Exp", List.of("logarithm"), List.of("weight"))
                .node("Unsqueeze", List.of("weight", "inward"), List.of("weights"))
                .node("Gather", List.of("embeddings", "input_ids"), List.of("vectors"))
                .node("Mul", List.of("vectors", "weights"), List.of("last_hidden_state"))
                .toBytes();
    }

    /** How far a token is from where it would weigh most, between 0 and 1. */
    private void distance(OnnxGraph graph) {
        switch (shape) {
            case FLAT -> graph.node("Sub", List.of("x", "x"), List.of("distance"));
            case PRIMACY -> graph.node("Identity", List.of("x"), List.of("distance"));
            case RECENCY -> graph.node("Sub", List.of("one", "x"), List.of("distance"));
            case MIDDLE -> {
                graph.node("Mul", List.of("x", "two"), List.of("doubled"));
                graph.node("Sub", List.of("doubled", "one"), List.of("offset"));
                graph.node("Abs", List.of("offset"), List.of("distance"));
            }
        }
    }

    private float[] embeddings(int vocabulary) {
        SplittableRandom random = new SplittableRandom(seed);
        float unit = (float) (1 / Math.sqrt(dimension));
        float[] vectors = new float[vocabulary * dimension];
        for (int i = WordTokenizer.SPECIAL.size() * dimension; i < vectors.length; i++) {
            vectors[i] = random.nextLong() < 0 ? -unit : unit;
        }
        return vectors;
    }
}
