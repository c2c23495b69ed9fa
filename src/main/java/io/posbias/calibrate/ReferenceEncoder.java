package io.posbias.calibrate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.IoErrors;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.encode.onnx.OnnxGraph;
import io.posbias.encode.onnx.OnnxGraph.Attribute;
import java.io.IOException;
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
 * A model whose biases are known because they were built in: a bag of words whose tokens weigh more or less by where they
 * are. It goes through the same code as any other model and is what a measure of bias can be held against.
 *
 * <p>A word's vector is a random projection of it, signs of 1/sqrt(dimension) (Achlioptas 2003), so that different words
 * are nearly orthogonal and every word has length 1. Special tokens and unknown words have a vector of zeros. A token at
 * {@code x}, 0 for the first of its own text and 1 for the last, weighs exp(-strength * distance(x)), in queries as in
 * passages. {@link ReferenceScore} says what is made of the weighted vectors.
 *
 * <p>Words may be names of one concept. A name's vector is sqrt(literalness) of a projection of its own and
 * sqrt(1 - literalness) of its concept's: the product of two names of a concept is 1 - literalness in expectation over
 * seeds, and exactly that of a name with itself for literalness 0.
 *
 * @param name the recipe's name
 * @param shape where tokens weigh most
 * @param strength how fast the weight falls; 0 is flat, 1 leaves 37 % at the far end, 2 leaves 14 %
 * @param score how vectors are compared
 * @param literalness 0 where the names of a concept are interchangeable, 1 where only the same word matches
 * @param dimension numbers of a vector; the fewer, the more words are taken for one another
 * @param seed of the words' vectors
 * @param maxTokens the recipe's limit of tokens
 * @param scale 0, or how many tokens the weight falls over whatever a text's length: then {@code x} is the token's place
 *     divided by this, and both ends of a text are twice its length over this from the middle
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
    /** The recipe among the files. */
    public static final String RECIPE = "recipe.yaml";

    /** Words of a window of {@link Way#MAX_P}. */
    static final int WINDOW = 32;

    private static final String GRAPH = "model.onnx";
    private static final String TOKENIZER = "tokenizer.json";

    /** All files that are written. */
    public static final List<String> FILES = List.of(RECIPE, GRAPH, TOKENIZER);

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

    /**
     * How vectors are compared.
     *
     * @param way what is multiplied with what
     * @param brevity for {@link Way#PRODUCT}: the vector of n tokens is their sum times n^-brevity; else 0
     */
    public record ReferenceScore(Way way, double brevity) {
        /** Cosine of the means of tokens. Its length grows with sqrt(n): brevity 0.5, were all words orthogonal. */
        public static final ReferenceScore COSINE = new ReferenceScore(Way.COSINE, 0);

        /** Late interaction: for each query token its best match. How often it occurs and among what does not matter. */
        public static final ReferenceScore MAX_SIM = new ReferenceScore(Way.MAX_SIM, 0);

        /** Cosine of the best window: blind to places, but not to the words beside what is asked for. */
        public static final ReferenceScore MAX_P = new ReferenceScore(Way.MAX_P, 0);

        /**
         * Inner product of sums times n^-brevity each: what is asked for counts the same in a text of any length for 0,
         * more in a short one above 0, more in a long one below 0.
         */
        public static ReferenceScore product(double brevity) {
            return new ReferenceScore(Way.PRODUCT, brevity);
        }
    }

    /** What is multiplied with what. */
    public enum Way {
        /** The means of all tokens, scaled to length 1. */
        COSINE,
        /** The sums of all tokens. */
        PRODUCT,
        /** Each token of the query with the best of the passage. */
        MAX_SIM,
        /**
         * The mean of the query with the best mean of {@value #WINDOW} consecutive words of the passage. A shorter text is one
         * window; each window of a longer query counts.
         */
        MAX_P
    }

    /** Refuses what no graph can be made of. */
    public ReferenceEncoder {
        if (dimension < 1 || scale < 0 || !(strength >= 0) || !(literalness >= 0 && literalness <= 1)) {
            throw new IllegalArgumentException("dimension " + dimension + ", scale " + scale + ", strength " + strength
                    + ", literalness " + literalness);
        }
        if (!Double.isFinite(strength) || !Double.isFinite(score.brevity)) {
            throw new IllegalArgumentException("strength " + strength + ", brevity " + score.brevity);
        }
    }

    /** One with a position bias alone: cosines, every word a concept of its own. */
    public ReferenceEncoder(String name, Shape shape, double strength, int dimension, long seed, int maxTokens) {
        this(name, shape, strength, ReferenceScore.COSINE, 1, dimension, seed, maxTokens, 0);
    }

    /** The same whose weights fall over so many tokens, in texts of any length. */
    ReferenceEncoder over(int tokens) {
        return new ReferenceEncoder(name, shape, strength, score, literalness, dimension, seed, maxTokens, tokens);
    }

    /**
     * Writes graph, tokenizer and recipe; every word is a concept of its own.
     *
     * @param folder made if it is not there
     * @param words what it shall know; others are silent. {@link WordTokenizer#words} takes them from texts
     * @return the recipe's file
     */
    public Path write(Path folder, Collection<String> words) {
        return write(folder, words, word -> word);
    }

    /**
     * Writes graph, tokenizer and recipe.
     *
     * @param folder made if it is not there
     * @param words what it shall know; others are silent
     * @param concept what a word, in lower case, is a name of
     * @return the recipe's file
     */
    public Path write(Path folder, Collection<String> words, UnaryOperator<String> concept) {
        WordTokenizer tokenizer = WordTokenizer.of(words);
        try {
            Files.createDirectories(folder);
            Files.write(folder.resolve(TOKENIZER), tokenizer.toJson());
            Files.write(folder.resolve(GRAPH), graph(embeddings(tokenizer, concept), tokenizer.size()));
            return Files.writeString(folder.resolve(RECIPE), Json.toYaml(recipe()), StandardCharsets.UTF_8);
        } catch (IOException refused) {
            throw new PosbiasException(IoErrors.describe("write", folder, refused), refused);
        }
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

    private boolean isLate() {
        return score.way == Way.MAX_SIM || score.way == Way.MAX_P;
    }

    private Written recipe() {
        boolean isProduct = score.way == Way.PRODUCT;
        return new Written(
                name,
                isLate() ? "late-interaction" : "dense",
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
     * The vector of a token is the mean of the window that ends with it; that of a token with which no whole window ends, or of
     * a special token, is zero.
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

    /** Padding adds nothing to a sum, as its vector is zero; n leaves the two special tokens out. */
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

    /** How far a token is from where it would weigh most, in parts of the span. */
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

    /** All words' vectors, one after another, zeros for the special tokens. */
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
