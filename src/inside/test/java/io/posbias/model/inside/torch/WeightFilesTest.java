package io.posbias.model.inside.torch;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.model.retrieve.DenseRecipe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.OnnxGraph;
import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.Architecture;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.inside.WeightFiles;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What is wrong with a recipe's {@code transformer} or with weights is one line that says what and where. */
@Tag("slow")
class WeightFilesTest {
    private static final String WORDS = "bert.embeddings.word_embeddings.weight";
    private static final String INNER = "bert.encoder.layer.1.intermediate.dense.weight";

    @TempDir
    Path temp;

    private String failure(byte[] weights, String transformer) {
        Recipe recipe = TinyModels.write(temp, weights, transformer.isEmpty() ? "" : "transformer: " + transformer);
        PosbiasException failure = org.junit.jupiter.api.Assertions.assertThrows(
                PosbiasException.class, () -> WhiteBoxes.open(temp, recipe).close());
        assertThat(failure.line().lines()).hasSize(1);
        return failure.line().replace(temp + "/", "");
    }

    private static byte[] changed(Consumer<SortedMap<String, Weight>> change) {
        Safetensors tensors = new Safetensors("x", TinyModels.golden(Family.BERT, ".safetensors"));
        SortedMap<String, Weight> weights = new TreeMap<>();
        tensors.names().forEach(name -> weights.put(name, tensors.tensor(name)));
        change.accept(weights);
        return TinyModels.bytes(weights);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{family: gpt2, heads: 4}| field \"transformer.family\" is \"gpt2\"",
                "{family: bert}| field \"transformer.heads\" is missing",
                "{family: bert, heads: 0}| field \"transformer.heads\" is 0",
                "{torchscript: m.torchscript, heads: 4}| field \"transformer.heads\" has no meaning",
                "{torchscript: m.pt}| Python's pickles",
                "{family: bert, heads: 4, norm-epsilon: 0}| field \"transformer.norm-epsilon\" is 0",
                "{family: bert, heads: 4, layers: 2}| unknown field \"transformer.layers\"",
                "{family: bert, heads: 4, source: {folder: .}}| field \"transformer.source\" has no meaning",
                "{family: bert, heads: 4, weights: pytorch_model.bin}| Python's pickles",
                "{family: bert, heads: 4, weights: ../x.safetensors}| files must be inside the model's folder",
            })
    void aRecordThatSaysNothingSound(String transformer, String line) {
        assertThat(failure(new byte[0], transformer)).startsWith("tiny.yaml:").contains(line);
    }

    @Test
    void weightsThatAreNotTheFamilys() {
        byte[] sound = TinyModels.golden(Family.BERT, ".safetensors");
        String tensors = "weights: model.safetensors}";
        assertThat(failure(sound, "{family: bert, heads: 3, " + tensors))
                .contains("transformer.heads is 3", "16 numbers");
        assertThat(failure(changed(all -> all.remove(WORDS)), "{family: bert, heads: 4, " + tensors))
                .contains("model.safetensors", "embeddings.word_embeddings.weight");
        assertThat(failure(changed(all -> all.remove(INNER)), "{family: bert, heads: 4, " + tensors))
                .contains("layer.1.intermediate.dense.weight");
        assertThat(failure(
                        changed(all -> all.put(INNER, new Weight(new float[6], List.of(2, 3)))),
                        "{family: bert, heads: 4, " + tensors))
                .contains("layer.1.intermediate.dense.weight", "(2, 3)", "(-1, 16)");
        assertThat(failure(sound, "{family: bert, heads: 4, weights: other.safetensors}"))
                .contains("model tiny", "other.safetensors", "tiny.yaml");
        assertThat(failure(new byte[100], "{family: bert, heads: 4, " + tensors))
                .contains("model.safetensors", "0 bytes");
    }

    @Test
    void weightsOfARepositoryAreAMatterOfOneCommand() {
        assertThat(failure(
                        new byte[0],
                        "{family: bert, heads: 4, weights: [a.safetensors, b.safetensors], source: {hub: a/b}}"))
                .contains("models/tiny-weights/a.safetensors", "'posbias models pull tiny.yaml --weights'");
    }

    /** Widened to 32 bits, a bfloat16 is the float whose lower half is zeros. */
    @Test
    void halvesAreWidenedAndSaid() throws IOException {
        byte[] cut = changed(all -> all.replaceAll((name, weight) -> {
            float[] values = weight.values().clone();
            for (int i = 0; i < values.length; i++) {
                values[i] = Float.intBitsToFloat(Float.floatToRawIntBits(values[i]) & 0xffff0000);
            }
            return new Weight(values, weight.shape());
        }));
        float[] expected = vector(cut, new ArrayList<>());
        List<String> said = new ArrayList<>();
        assertThat(vector(brain(cut), said)).isEqualTo(expected);
        assertThat(said).singleElement().asString().contains("model.safetensors", "16 bits", "32");
    }

    private float[] vector(byte[] weights, List<String> said) {
        Recipe recipe =
                TinyModels.write(temp, weights, "transformer: {family: bert, heads: 4, weights: model.safetensors}");
        Engine engine = new Engine(Device.CPU, 1, 0, false, CallLimit.none(), Sessions.in(temp, Map.of(), said::add));
        try (WhiteBox model = WhiteBox.open(recipe, engine)) {
            return model.vector("a b c", Role.PASSAGE);
        }
    }

    /** The same file with the upper half of each number. */
    private static byte[] brain(byte[] file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int length = Math.toIntExact(in.getLong());
        byte[] json = new byte[length];
        in.get(json);
        ObjectNode header = (ObjectNode) Json.mapper().readTree(json);
        header.remove("__metadata__");
        header.properties().forEach(tensor -> {
            ObjectNode entry = (ObjectNode) tensor.getValue();
            long from = entry.path("data_offsets").path(0).asLong() / 2;
            long to = entry.path("data_offsets").path(1).asLong() / 2;
            entry.put("dtype", "BF16").putArray("data_offsets").add(from).add(to);
        });
        byte[] head = Json.mapper().writeValueAsBytes(header);
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + head.length + in.remaining() / 2)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(head.length).put(head);
        while (in.hasRemaining()) {
            out.putShort((short) (in.getInt() >>> 16));
        }
        return out.array();
    }

    /** Weights in two files, the second behind a hole of more than 2 GiB, which a disk holds in no space. */
    @Test
    void filesOfAnySizeAndNumberAreRead() throws IOException {
        byte[] whole = TinyModels.golden(Family.BERT, ".safetensors");
        float[] expected = vector(whole, new ArrayList<>());
        byte[] rest = changed(all -> all.remove(WORDS));
        Recipe recipe = TinyModels.write(
                temp, rest, "transformer: {family: bert, heads: 4, weights: [model.safetensors, large.safetensors]}");
        Weight words = new Safetensors("x", whole).tensor(WORDS);
        large(temp.resolve("large.safetensors"), words);
        try (WhiteBox model = WhiteBoxes.open(temp, recipe)) {
            assertThat(model.vector("a b c", Role.PASSAGE)).isEqualTo(expected);
        }
    }

    private static void large(Path file, Weight words) throws IOException {
        long hole = 3L << 30;
        int bytes = Float.BYTES * words.values().length;
        byte[] header = ("{\"hole\":{\"dtype\":\"F32\",\"shape\":[" + hole / 4 + "],\"data_offsets\":[0," + hole
                        + "]},\""
                        + WORDS + "\":{\"dtype\":\"F32\",\"shape\":[23,16],\"data_offsets\":[" + hole + ","
                        + (hole + bytes) + "]}}")
                .getBytes(java.nio.charset.StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(Long.BYTES + header.length).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(header.length).put(header).flip();
        ByteBuffer numbers = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        numbers.asFloatBuffer().put(words.values());
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            channel.write(head, 0);
            channel.write(numbers, Long.BYTES + header.length + hole);
        }
    }

    @Test
    void everyRecipeWithATransformerIsSound() {
        List<String> with = RecipeBook.builtIn().stream()
                .filter(name -> RecipeBook.find(name).settings().has(EvaluatedModel.TRANSFORMER))
                .toList();
        assertThat(with).contains("all-minilm-l6-v2", "bge-m3-posir", "qwen3-embedding-8b", "bloom-560m", "longformer-base-4096");
        for (String name : with) {
            Architecture architecture = Architecture.of((DenseRecipe) RecipeBook.find(name));
            assertThat(architecture.heads() > 0).isEqualTo(architecture.torchscript().isEmpty());
        }
    }

    /** An exporter that stores equal tensors once leaves one name. */
    @Test
    void mergedWeightsAreNamedWithTheRemedy() {
        byte[] graph = new OnnxGraph()
                .constant("m.words.weight", new float[] {1, 2, 3, 4}, 2, 2)
                .constant("m.h.0.ln2.weight", new float[] {1, 1}, 2)
                .toBytes();
        OnnxWeights onnx = OnnxWeights.of("model.onnx", graph);
        SortedMap<String, Weight> weights = new TreeMap<>();
        weights.put("words.weight", onnx.weight("m.words.weight"));
        weights.put("h.0.ln2.weight", onnx.weight("m.h.0.ln2.weight"));
        assertThat(WeightFiles.inGraph("model.onnx", onnx, "words.weight", weights))
                .containsOnlyKeys("m.words.weight", "m.h.0.ln2.weight");
        weights.put("h.0.ln1.weight", new Weight(new float[] {1, 1}, List.of(2)));
        assertThatThrownBy(() -> WeightFiles.inGraph("model.onnx", onnx, "words.weight", weights))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("model.onnx", "h.0.ln1.weight", "merged", "m.h.0.ln2.weight", "--torchscript");
        weights.put("h.0.ln1.weight", new Weight(new float[] {1, 2}, List.of(2)));
        assertThatThrownBy(() -> WeightFiles.inGraph("model.onnx", onnx, "words.weight", weights))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("h.0.ln1.weight")
                .hasMessageNotContaining("merged");
    }
}
