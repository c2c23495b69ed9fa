package io.posbias.model.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.score.result.EvaluatedModel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What is written for the worker, and what is wrong with a recipe's {@code transformer} or with weights: a line says what and where. */
class CheckpointTest {
    private static final String WORDS = "bert.embeddings.word_embeddings.weight";

    @TempDir
    Path temp;

    /** Writes a model's folder, and returns its weights. */
    private SortedMap<String, Weight> written(Recipe recipe, List<String> said) throws IOException {
        Path folder = Files.createTempDirectory(temp, "written");
        Engine engine = new Engine(Device.CPU, 1, 0, false, CallLimit.none(), Sessions.in(temp, Map.of(), said::add));
        new Checkpoint((DenseRecipe) recipe, engine).write(folder, Role.PASSAGE);
        return weights(Files.readAllBytes(folder.resolve("model.safetensors")));
    }

    private static SortedMap<String, Weight> weights(byte[] file) {
        Safetensors tensors = new Safetensors("x", file);
        SortedMap<String, Weight> weights = new TreeMap<>();
        tensors.names().forEach(name -> weights.put(name, tensors.tensor(name)));
        return weights;
    }

    private String failure(byte[] weights, String transformer) {
        Recipe recipe = TinyModels.write(temp, weights, "transformer: " + transformer);
        PosbiasException failure = assertThrows(PosbiasException.class, () -> written(recipe, new ArrayList<>()));
        assertThat(failure.line().lines()).hasSize(1);
        return failure.line().replace(temp + "/", "");
    }

    private static byte[] changed(Consumer<SortedMap<String, Weight>> change) {
        SortedMap<String, Weight> weights = weights(TinyModels.golden(Family.BERT, ".safetensors"));
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
                "{torchscript: m.torchscript}| st:",
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
        List<String> said = new ArrayList<>();
        assertThat(values(written(ofTensors(brain(cut), "model.safetensors"), said)))
                .isEqualTo(values(written(ofTensors(cut, "model.safetensors"), new ArrayList<>())));
        assertThat(said)
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains("model.safetensors", "16 bits", "32"));
    }

    private Recipe ofTensors(byte[] weights, String files) {
        return TinyModels.write(temp, weights, "transformer: {family: bert, heads: 4, weights: [" + files + "]}");
    }

    private static SortedMap<String, List<Float>> values(SortedMap<String, Weight> weights) {
        SortedMap<String, List<Float>> values = new TreeMap<>();
        weights.forEach((name, weight) -> {
            List<Float> own = new ArrayList<>();
            for (float value : weight.values()) {
                own.add(value);
            }
            values.put(name, own);
        });
        return values;
    }

    /** The same file with the upper half of each number. */
    private static byte[] brain(byte[] file) {
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
        SortedMap<String, List<Float>> expected =
                values(written(ofTensors(whole, "model.safetensors"), new ArrayList<>()));
        Recipe recipe = ofTensors(changed(all -> all.remove(WORDS)), "model.safetensors, large.safetensors");
        large(temp.resolve("large.safetensors"), new Safetensors("x", whole).tensor(WORDS));
        assertThat(values(written(recipe, new ArrayList<>()))).isEqualTo(expected);
    }

    private static void large(Path file, Weight words) throws IOException {
        long hole = 3L << 30;
        int bytes = Float.BYTES * words.values().length;
        byte[] header = ("{\"hole\":{\"dtype\":\"F32\",\"shape\":[" + hole / 4 + "],\"data_offsets\":[0," + hole
                        + "]},\""
                        + WORDS + "\":{\"dtype\":\"F32\",\"shape\":[23,16],\"data_offsets\":[" + hole + ","
                        + (hole + bytes) + "]}}")
                .getBytes(StandardCharsets.UTF_8);
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
        assertThat(with).contains("all-minilm-l6-v2", "bge-m3-posir");
        for (String name : with) {
            assertThat(Architecture.of((DenseRecipe) RecipeBook.find(name)).heads())
                    .isPositive();
        }
    }
}
