package io.posbias.study.calibrate;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxGraph.Attribute;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A model that does not see positions but likes unbroken texts, as language models may: a bag of words by cosine, times
 * exp(-penalty) for each pair of tokens, two apart, that no text of the corpus has. Two apart, because of the full stop
 * between sentences: where two sentences meet that were no neighbours, a pair is new. What moves sentences must not take
 * this for a preference of positions.
 *
 * @param name the recipe's name
 * @param penalty how much each new pair costs
 * @param dimension numbers of a vector
 * @param seed of the words' vectors
 * @param maxTokens the recipe's limit of tokens
 */
record CoherentEncoder(String name, double penalty, int dimension, long seed, int maxTokens) {
    /** Pairs share places in the table of known ones: so many that few new ones meet a known one's. */
    private static final int TABLE = 1 << 21;

    /** A token by itself: punctuation, or a character of a script without spaces. */
    private static final Pattern ALONE = Pattern.compile(WordTokenizer.CHARACTER + "|[\\p{P}$+<=>^`|~]");

    private static final long FIRST = 1_000_003;
    private static final int UNKNOWN = 1;
    private static final int CLS = 2;
    private static final int SEP = 3;

    Path write(Path folder, Collection<String> words, List<String> texts) {
        WordTokenizer tokenizer = WordTokenizer.of(words);
        Map<String, Object> recipe = new LinkedHashMap<>();
        recipe.put("name", name);
        recipe.put("kind", "dense");
        recipe.put("family", "reference");
        recipe.put("description", "a bag of words that likes unbroken texts, penalty " + penalty);
        recipe.put("source", Map.of("folder", "."));
        recipe.put("onnx", Map.of("float32", "model.onnx"));
        recipe.put("max-tokens", maxTokens);
        recipe.put("pooling", "none");
        recipe.put("similarity", "dot");
        recipe.put("normalise", false);
        recipe.put("dimension", dimension);
        return IoErrors.call("write", folder, () -> {
            Files.createDirectories(folder);
            Files.write(folder.resolve("tokenizer.json"), tokenizer.toJson());
            Files.write(folder.resolve("model.onnx"), graph(tokenizer, texts));
            return Files.writeString(
                    folder.resolve(ReferenceEncoder.RECIPE), Json.toYaml(recipe), StandardCharsets.UTF_8);
        });
    }

    /** 1 for pairs that no text has, 0 for those that one has, by {@link #place}. */
    private static float[] unknown(WordTokenizer tokenizer, List<String> texts) {
        Map<String, Integer> ids = new HashMap<>();
        tokenizer.vocabulary().forEach(word -> ids.put(word, ids.size()));
        float[] table = new float[TABLE];
        Arrays.fill(table, 1);
        for (String text : texts) {
            int[] tokens = tokens(text)
                    .mapToInt(token -> ids.getOrDefault(token, UNKNOWN))
                    .toArray();
            for (int i = 2; i < tokens.length; i++) {
                table[place(tokens[i - 2], tokens[i])] = 0;
            }
        }
        return table;
    }

    private static Stream<String> tokens(String text) {
        return Arrays.stream(ALONE.matcher(text.toLowerCase(Locale.ROOT))
                        .replaceAll(" $0 ")
                        .split("\\s+", -1))
                .filter(token -> !token.isEmpty());
    }

    private static int place(int first, int second) {
        return (int) ((first * FIRST + second) % TABLE);
    }

    private byte[] graph(WordTokenizer tokenizer, List<String> texts) {
        OnnxGraph graph = new OnnxGraph()
                .input("input_ids", OnnxGraph.Type.INT64, "batch", "tokens")
                .input("attention_mask", OnnxGraph.Type.INT64, "batch", "tokens")
                .constant("embeddings", embeddings(tokenizer), tokenizer.size(), dimension)
                .constant("unknown", unknown(tokenizer, texts), TABLE)
                .constant("zero", new long[] {0}, 1)
                .constant("one", new long[] {1}, 1)
                .constant("two", new long[] {2}, 1)
                .constant("minus_two", new long[] {-2}, 1)
                .constant("last", new long[] {Integer.MAX_VALUE}, 1)
                .constant("cls", new long[] {CLS}, 1)
                .constant("sep", new long[] {SEP}, 1)
                .constant("factor", new long[] {FIRST}, 1)
                .constant("table", new long[] {TABLE}, 1)
                .constant("penalty", new float[] {(float) -penalty})
                .constant("little", new float[] {1e-12f});
        bagOfWords(graph);
        brokenPairs(graph);
        return graph.node("Mul", List.of("broken", "penalty"), List.of("logarithm"))
                .node("Exp", List.of("logarithm"), List.of("liking"))
                .node("Mul", List.of("unit", "liking"), List.of("sentence_embedding"))
                .output("sentence_embedding", OnnxGraph.Type.FLOAT, "batch", dimension)
                .toBytes();
    }

    private static void bagOfWords(OnnxGraph graph) {
        graph.node("Gather", List.of("embeddings", "input_ids"), List.of("vectors"))
                .node("ReduceSum", List.of("vectors", "one"), List.of("sum"), new Attribute("keepdims", 0))
                .node("Mul", List.of("sum", "sum"), List.of("squares"))
                .node("ReduceSum", List.of("squares", "one"), List.of("square"), new Attribute("keepdims", 1))
                .node("Sqrt", List.of("square"), List.of("length"))
                .node("Max", List.of("length", "little"), List.of("divisor"))
                .node("Div", List.of("sum", "divisor"), List.of("unit"));
    }

    private static void brokenPairs(OnnxGraph graph) {
        graph.node("Slice", List.of("input_ids", "zero", "minus_two", "one"), List.of("left"))
                .node("Slice", List.of("input_ids", "two", "last", "one"), List.of("right"))
                .node("Slice", List.of("attention_mask", "two", "last", "one"), List.of("mask"))
                .node("Mul", List.of("left", "factor"), List.of("scaled"))
                .node("Add", List.of("scaled", "right"), List.of("key"))
                .node("Mod", List.of("key", "table"), List.of("place"))
                .node("Gather", List.of("unknown", "place"), List.of("isUnknown"))
                .node("Equal", List.of("left", "cls"), List.of("begins"))
                .node("Equal", List.of("right", "sep"), List.of("ends"))
                .node("Or", List.of("begins", "ends"), List.of("special"))
                .node("Not", List.of("special"), List.of("inner"))
                .node("Cast", List.of("inner"), List.of("isInner"), new Attribute("to", 1))
                .node("Cast", List.of("mask"), List.of("isText"), new Attribute("to", 1))
                .node("Mul", List.of("isUnknown", "isInner"), List.of("within"))
                .node("Mul", List.of("within", "isText"), List.of("counted"))
                .node("ReduceSum", List.of("counted", "one"), List.of("broken"), new Attribute("keepdims", 1));
    }

    private float[] embeddings(WordTokenizer tokenizer) {
        float[] vectors = new float[tokenizer.size() * dimension];
        SplittableRandom random = new SplittableRandom(seed);
        float own = (float) Math.sqrt(1.0 / dimension);
        for (int i = WordTokenizer.SPECIAL.size() * dimension; i < vectors.length; i++) {
            vectors[i] = random.nextLong() < 0 ? -own : own;
        }
        return vectors;
    }
}
