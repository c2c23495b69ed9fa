package io.posbias.model.inside;

import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.SortedMap;

/** Tiny random models of each family, which scripts/tests/transformer_golden.py writes: 16 numbers, two layers, four heads. */
public final class TinyModels {
    private TinyModels() {}

    public static byte[] golden(Family family, String ending) {
        return resource(Suggestions.word(family) + ending);
    }

    public static byte[] resource(String name) {
        try (InputStream in = Objects.requireNonNull(TinyModels.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /**
     * Writes a model and its recipe.
     *
     * @param more fields of the recipe besides the model's own, a line each
     */
    public static Recipe write(Path folder, Family family, String more) {
        return write(folder, golden(family, ".safetensors"), """
                transformer: {family: %s, heads: 4, weights: model.safetensors}
                %s""".formatted(Suggestions.word(family), more));
    }

    /** A safetensors file. */
    public static byte[] bytes(SortedMap<String, Weight> tensors) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Safetensors.write(tensors, out);
            return out.toByteArray();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** A tiny BERT whose weights are in its ONNX file. */
    public static Recipe writeGraph(Path folder) {
        try {
            Files.write(folder.resolve("model.onnx"), TinyBertGraph.write());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
        return write(folder, new byte[0], "transformer: {family: bert, heads: 4}");
    }

    /**
     * Writes "tiny-bert", which ONNX Runtime runs and white-box encoders read; it takes texts of up to 256 tokens.
     *
     * @param words of its tokenizer
     * @return the recipe's file
     */
    public static Path writeBert(Path folder, Collection<String> words) throws IOException {
        WordTokenizer tokenizer = WordTokenizer.of(words);
        Files.createDirectories(folder);
        Files.write(folder.resolve("model.onnx"), TinyBertGraph.write(tokenizer.size(), 256));
        Files.write(folder.resolve("tokenizer.json"), tokenizer.toJson());
        return Files.writeString(folder.resolve("tiny-bert.yaml"), """
                name: tiny-bert
                kind: dense
                source: {folder: .}
                onnx: {float32: model.onnx}
                max-tokens: 256
                pooling: mean
                similarity: cosine
                dimension: 16
                transformer: {family: bert, heads: 4}
                """);
    }

    public static Recipe write(Path folder, byte[] weights, String more) {
        return write(folder, weights, more, 16);
    }

    private static Recipe write(Path folder, byte[] weights, String more, int dimension) {
        try {
            Files.write(folder.resolve("model.safetensors"), weights);
            Files.write(
                    folder.resolve("tokenizer.json"),
                    WordTokenizer.of(StandIns.WORDS).toJson());
            Path recipe = folder.resolve("tiny.yaml");
            Files.writeString(
                    recipe, """
                    name: tiny
                    kind: dense
                    source: {folder: .}
                    onnx: {float32: model.onnx}
                    max-tokens: 12
                    similarity: %s
                    dimension: %s
                    %s
                    """.formatted(more.contains("normalise: false") ? "dot" : "cosine", dimension, more));
            return RecipeBook.find(recipe.toString());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
