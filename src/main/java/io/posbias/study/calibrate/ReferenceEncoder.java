package io.posbias.study.calibrate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Bag of words with a known, planted bias: token weights depend on position. It runs like any other model, as ground truth for
 * measures of bias.
 *
 * <p>A word's vector is a random projection with signs of 1/sqrt(dimension) (Achlioptas 2003), so that different words are
 * nearly orthogonal and have length 1. Special tokens and unknown words have zero vectors. A token at {@code x}, 0 for the
 * first and 1 for the last of its text, weighs exp(-strength * distance(x)), in queries and passages.
 *
 * <p>Words may be names of one concept. A name's vector is sqrt(literalness) times its projection plus sqrt(1 -
 * literalness) times its concept's projection: the product of two names is 1 - literalness in expectation over seeds,
 * and exactly 1 for literalness 0.
 *
 * @param strength decay of the weight: 0 is flat, 1 leaves 37 % at the far end, 2 leaves 14 %
 * @param literalness 0 if the names of a concept are interchangeable, 1 if only the same word matches
 * @param dimension few dimensions confuse words
 * @param scale 0, or the number of tokens over which the weight falls regardless of the text's length
 */
public record ReferenceEncoder(
        String name,
        Shape shape,
        double strength,
        ReferenceScore score,
        double literalness,
        int dimension,
        long seed,
        int maxTokens,
        int scale) {
    public static final String RECIPE = "recipe.yaml";

    /** Words of a window of {@link Way#MAX_P}. */
    static final int WINDOW = 32;

    private static final String GRAPH = "model.onnx";
    private static final String TOKENIZER = "tokenizer.json";

    public static final List<String> FILES = List.of(RECIPE, GRAPH, TOKENIZER);

    /** Position of the largest token weights. */
    public enum Shape {
        FLAT,
        PRIMACY,
        RECENCY,
        MIDDLE
    }

    /**
     * Similarity of texts.
     *
     * @param brevity for {@link Way#PRODUCT}: the vector of n tokens is their sum times n^-brevity; short texts score
     *     higher above 0, long ones below 0
     */
    public record ReferenceScore(Way way, double brevity) {
        /** Cosine of token means. Its length grows with sqrt(n): brevity 0.5, were all words orthogonal. */
        public static final ReferenceScore COSINE = new ReferenceScore(Way.COSINE, 0);
    }

    /** Operands of the similarity. */
    public enum Way {
        /** Means of all tokens, normalised. */
        COSINE,
        /** Sums of all tokens. */
        PRODUCT,
        /** Late interaction: each query token with the best passage token, regardless of repetition and context. */
        MAX_SIM,
        /**
         * Mean of the query with the best mean of {@value #WINDOW} consecutive words of the passage. A shorter text is one
         * window; each window of a longer query counts.
         */
        MAX_P
    }

    public ReferenceEncoder {
        if (dimension < 1 || scale < 0 || !(strength >= 0) || !(literalness >= 0 && literalness <= 1)) {
            throw new IllegalArgumentException("dimension " + dimension + ", scale " + scale + ", strength " + strength
                    + ", literalness " + literalness);
        }
        if (!Double.isFinite(strength) || !Double.isFinite(score.brevity)) {
            throw new IllegalArgumentException("strength " + strength + ", brevity " + score.brevity);
        }
    }

    /** A position bias alone: cosines, every word its own concept. */
    public ReferenceEncoder(String name, Shape shape, double strength, int dimension, long seed, int maxTokens) {
        this(name, shape, strength, ReferenceScore.COSINE, 1, dimension, seed, maxTokens, 0);
    }

    /** Weights that fall over a number of tokens, in texts of any length. */
    ReferenceEncoder over(int tokens) {
        return new ReferenceEncoder(name, shape, strength, score, literalness, dimension, seed, maxTokens, tokens);
    }

    /**
     * Writes graph, tokenizer and recipe, and returns the recipe's file; every word is its own concept.
     *
     * @param words vocabulary; other words have zero vectors
     */
    public Path write(Path folder, Collection<String> words) {
        return write(folder, words, word -> word);
    }

    /**
     * Writes graph, tokenizer and recipe, and returns the recipe's file.
     *
     * @param words vocabulary; other words have zero vectors
     * @param concept maps a lower-case word to its concept
     */
    public Path write(Path folder, Collection<String> words, UnaryOperator<String> concept) {
        WordTokenizer tokenizer = WordTokenizer.of(words);
        return IoErrors.call("write", folder, () -> {
            Files.createDirectories(folder);
            Files.write(folder.resolve(TOKENIZER), tokenizer.toJson());
            Files.write(folder.resolve(GRAPH), graph(embeddings(tokenizer, concept), tokenizer.size()));
            return Files.writeString(folder.resolve(RECIPE), Json.toYaml(recipe()), StandardCharsets.UTF_8);
        });
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Written(
            String name,
            String kind,
            String family,
            String description,
            Map<String, String> source,
            Map<String, String> onnx,
            @JsonProperty("max-tokens") int maxTokens,
            @Nullable String pooling,
            @Nullable String similarity,
            @Nullable Boolean normalise,
            int dimension) {}

    private Written recipe() {
        boolean isProduct = score.way == Way.PRODUCT;
        return new Written(
                name,
                score.way == Way.MAX_SIM || score.way == Way.MAX_P ? "late-interaction" : "dense",
                "reference",
                description(),
                Map.of("folder", "."),
                Map.of("float32", GRAPH),
                maxTokens,
                score.way == Way.COSINE ? "mean" : isProduct ? "none" : null,
                isProduct ? "dot" : null,
                (isProduct || score.way == Way.MAX_SIM) ? (Boolean) false : null,
                dimension);
    }

    private String description() {
        String compared = switch (score.way) {
            case COSINE -> "";
            case PRODUCT -> ", sums times n^-(" + score.brevity + ")";
            case MAX_SIM -> ", late interaction";
            case MAX_P -> ", best of windows of " + WINDOW + " words";
        };
        return "a bag of words, " + shape.name().toLowerCase(Locale.ROOT) + " " + strength + compared
                + (literalness < 1 ? ", literalness " + literalness : "");
    }

    private byte[] graph(float[] embeddings, int vocabulary) {
        OnnxGraph graph = new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("attention_mask", OnnxGraph.Type.INT64, "batch", "tokens")
                .constant("embeddings", embeddings, vocabulary, dimension)
                .constant("along", new long[] {1}, 1)
                .constant("inward", new long[] {2}, 1)
                .constant("one", new float[] {1})
                .constant("two", new float[] {2})
                .constant("steepness", new float[] {(float) -strength})
                // x: 0 for a text's first token, 1 for its last, wherever padding is.
                .node("Cast", List.of("attention_mask"), List.of("mask"), new Attribute("to", 1))
                .node("CumSum", List.of("mask", "along"), List.of("count"))
                .node("Sub", List.of("count", "one"), List.of("position"))
                .node("ReduceSum", List.of("mask", "along"), List.of("length"), new Attribute("keepdims", 1))
                .node("Sub", List.of("length", "one"), List.of("last"));
        if (scale == 0) {
            graph.node("Max", List.of("last", "one"), List.of("span"));
        } else {
            graph.constant("span", new float[] {scale});
        }
        graph.node("Div", List.of("position", "span"), List.of("x"));
        distance(graph);
        graph.node("Mul", List.of("distance", "steepness"), List.of("logarithm"))
                .node("Exp", List.of("logarithm"), List.of("weight"))
                .node("Unsqueeze", List.of("weight", "inward"), List.of("weights"))
                .node("Gather", List.of("embeddings", "input_ids"), List.of("vectors"))
                .node(
                        "Mul",
                        List.of("vectors", "weights"),
                        List.of(score.way == Way.MAX_P ? "weighted" : "last_hidden_state"));
        if (score.way == Way.MAX_P) {
            windows(graph);
        }
        if (score.way == Way.PRODUCT) {
            sum(graph);
        } else {
            graph.output("last_hidden_state", OnnxGraph.Type.FLOAT, "batch", "tokens", dimension);
        }
        return graph.toBytes();
    }

    /**
     * A token's vector becomes the mean of the window that ends with it; zero without a whole window and for special tokens.
     */
    private static void windows(OnnxGraph graph) {
        graph.constant("longest", new float[] {WINDOW})
                .node("Transpose", List.of("weighted"), List.of("columns"), Attribute.list("perm", 0L, 2L, 1L))
                .node(
                        "AveragePool",
                        List.of("columns"),
                        List.of("pooled"),
                        Attribute.list("kernel_shape", (long) WINDOW),
                        Attribute.list("pads", WINDOW - 1L, 0L),
                        new Attribute("count_include_pad", 1))
                .node("Transpose", List.of("pooled"), List.of("windows"), Attribute.list("perm", 0L, 2L, 1L))
                .node("Sub", List.of("length", "two"), List.of("words"))
                .node("Min", List.of("words", "longest"), List.of("least"))
                .node("GreaterOrEqual", List.of("position", "least"), List.of("filled"))
                .node("LessOrEqual", List.of("position", "words"), List.of("inside"))
                .node("And", List.of("filled", "inside"), List.of("whole"))
                .node("Cast", List.of("whole"), List.of("isWhole"), new Attribute("to", 1))
                .node("Unsqueeze", List.of("isWhole", "inward"), List.of("kept"))
                .node("Mul", List.of("windows", "kept"), List.of("last_hidden_state"));
    }

    /** Padding has zero vectors; n excludes the two special tokens. */
    private void sum(OnnxGraph graph) {
        graph.constant("exponent", new float[] {(float) -score.brevity})
                .node("Sub", List.of("length", "two"), List.of("inner"))
                .node("Max", List.of("inner", "one"), List.of("n"))
                .node("Pow", List.of("n", "exponent"), List.of("scale"))
                .node(
                        "ReduceSum",
                        List.of("last_hidden_state", "along"),
                        List.of("total"),
                        new Attribute("keepdims", 0))
                .node("Mul", List.of("total", "scale"), List.of("sentence_embedding"))
                .output("sentence_embedding", OnnxGraph.Type.FLOAT, "batch", dimension);
    }

    /** Distance of a token from the maximum weight, relative to the span. */
    private void distance(OnnxGraph graph) {
        // The end of the text: 1 where the span is the text's own length.
        String end = "one";
        if (scale > 0) {
            graph.node("Div", List.of("last", "span"), List.of("end"));
            end = "end";
        }
        switch (shape) {
            case FLAT -> graph.node("Sub", List.of("x", "x"), List.of("distance"));
            case PRIMACY -> graph.node("Identity", List.of("x"), List.of("distance"));
            case RECENCY -> graph.node("Sub", List.of(end, "x"), List.of("distance"));
            case MIDDLE -> {
                graph.node("Mul", List.of("x", "two"), List.of("doubled"));
                graph.node("Sub", List.of("doubled", end), List.of("offset"));
                graph.node("Abs", List.of("offset"), List.of("distance"));
            }
        }
    }

    /** Vectors of all words, concatenated; zeros for special tokens. */
    private float[] embeddings(WordTokenizer tokenizer, UnaryOperator<String> concept) {
        int first = WordTokenizer.SPECIAL.size();
        float[] vectors = new float[tokenizer.size() * dimension];
        SplittableRandom random = new SplittableRandom(seed);
        double own = Math.sqrt(literalness / dimension);
        for (int i = first * dimension; i < vectors.length; i++) {
            vectors[i] = (float) (random.nextLong() < 0 ? -own : own);
        }
        if (literalness == 1) {
            return vectors;
        }
        SplittableRandom shared = random.split();
        float common = (float) Math.sqrt((1 - literalness) / dimension);
        Map<String, Long> seeds = new HashMap<>();
        List<String> words = tokenizer.words();
        for (int word = 0; word < words.size(); word++) {
            SplittableRandom signs = new SplittableRandom(
                    seeds.computeIfAbsent(concept.apply(words.get(word)), unseen -> shared.nextLong()));
            for (int i = (first + word) * dimension; i < (first + word + 1) * dimension; i++) {
                vectors[i] += signs.nextLong() < 0 ? -common : common;
            }
        }
        return vectors;
    }
}
