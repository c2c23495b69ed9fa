package io.posbias.model.inside.torch;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.model.encode.StandIns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.inside.WhiteBoxEngine;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Losses, gradients and saliency of TorchScript files against scripts/tests/torchscript_golden.py, which computes them with
 * PyTorch in Python, and of MiniLM against the forward pass of posbias.
 */
@Tag("slow")
class TorchScriptTest {
    private static final float CLOSE = 1e-5f;

    @TempDir
    Path temp;

    static Stream<Arguments> shapesAndPoolings() {
        return Stream.of("rotary", "alibi", "no-positions", "sliding-window", "causal", "bidirectional")
                .flatMap(shape -> Stream.of("cls", "mean", "last").map(pooling -> Arguments.of(shape, pooling)));
    }

    private static JsonNode golden(String shape) {
        return Json.mapper().readTree(TinyModels.resource("torchscript/" + shape + ".json"));
    }

    private Engine engine() {
        return Engine.quiet(2, Sessions.in(temp));
    }

    private static TokenRow row(JsonNode ids) {
        int[] numbers = ids.valueStream().mapToInt(JsonNode::asInt).toArray();
        return new TokenRow(numbers, new int[numbers.length], 0, 0, TokenRow.WHOLE);
    }

    private static List<TokenRow> rows(JsonNode golden) {
        return Stream.concat(golden.path("queries").valueStream(), golden.path("passages").valueStream())
                .map(TorchScriptTest::row)
                .toList();
    }

    /** A step on pairs whose queries are the first half of the rows; returns its loss. */
    private static double step(Trainee trainee, List<TokenRow> rows, double scale, double rate) {
        int n = rows.size() / 2;
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            pairs.add(new Pair("" + i, "q" + i, Pair.Text.unnamed("p" + i), Set.of(), Pair.UNKNOWN));
        }
        float[][] vectors = trainee.vectors(rows);
        InfoNce loss = InfoNce.of(pairs, Arrays.copyOf(vectors, n), Arrays.copyOfRange(vectors, n, 2 * n), scale);
        double length = trainee.learn(
                Stream.concat(Arrays.stream(loss.toQueries()), Arrays.stream(loss.toPassages()))
                        .toArray(float[][]::new));
        trainee.update(rate, length);
        return loss.loss();
    }

    /** The gradient of the first step: its running mean is a tenth of it. */
    private static float[] gradient(Map<String, Weight> state, String weight) {
        float[] first = Objects.requireNonNull(state.get(AdamW.FIRST + weight), weight)
                .values()
                .clone();
        for (int i = 0; i < first.length; i++) {
            first[i] *= 10;
        }
        return first;
    }

    private static double norm(float[] numbers) {
        double squares = 0;
        for (float number : numbers) {
            squares += (double) number * number;
        }
        return Math.sqrt(squares);
    }

    @ParameterizedTest
    @MethodSource("shapesAndPoolings")
    void lossesAndGradientsArePyTorchs(String shape, String pooling) {
        JsonNode golden = golden(shape);
        JsonNode expected = golden.path("poolings").path(pooling);
        Recipe recipe = TinyModels.writeTorchscript(temp, shape, pooling);
        for (int microBatch : new int[] {7, 1000}) {
            try (Trainee trainee = Trainee.open(recipe, new Trainee.Limits(microBatch, 0, 0, 0), engine())) {
                List<Double> losses = new ArrayList<>();
                for (int i = 0; i < expected.path("losses").size(); i++) {
                    losses.add(step(trainee, rows(golden), golden.path("scale").asDouble(), golden.path("rate").asDouble()));
                    if (i == 0) {
                        Map<String, Weight> state = trainee.state();
                        expected.path("gradients").properties().forEach(one -> {
                            float[] found = gradient(state, one.getKey());
                            float norm = (float) one.getValue().path(0).asDouble();
                            float close = CLOSE * Math.max(1, norm);
                            assertThat((float) norm(found))
                                    .as(one.getKey())
                                    .isCloseTo(norm, within(close));
                            for (int k = 0; k < 3; k++) {
                                assertThat(found[k])
                                        .as(one.getKey())
                                        .isCloseTo((float) one.getValue().path(k + 1).asDouble(), within(close));
                            }
                        });
                    }
                }
                for (int i = 0; i < losses.size(); i++) {
                    assertThat(losses.get(i))
                            .as("loss of step %s", i)
                            .isCloseTo(expected.path("losses").path(i).asDouble(), within(1e-5));
                }
            }
        }
    }

    /** Weights and state of a stopped training give the same next step, to the bit. */
    @Test
    void aStoppedTrainingGoesOn() {
        JsonNode golden = golden("sliding-window");
        List<TokenRow> rows = rows(golden);
        Recipe recipe = TinyModels.writeTorchscript(temp, "sliding-window", "cls");
        Trainee.Limits limits = new Trainee.Limits(9, 0, 0.01, 1);
        try (Trainee trainee = Trainee.open(recipe, limits, engine());
                Trainee other = Trainee.open(recipe, limits, engine())) {
            double first = step(trainee, rows, 5, 0.01);
            other.restore(1, trainee.weights(), trainee.state());
            double second = step(trainee, rows, 5, 0.01);
            assertThat(step(other, rows, 5, 0.01)).isEqualTo(second).isLessThan(first);
            assertThat(step(other, rows, 5, 0.01)).isEqualTo(step(trainee, rows, 5, 0.01));
        }
    }

    /** Trains, and runs what was trained on ONNX Runtime. */
    @Test
    void aTrainedModelIsTheSameInBothForms() throws IOException {
        Recipe recipe = TinyModels.writeTorchscript(temp, "rotary", "last");
        Path rows = pairs();
        Map<String, Object> changes = Map.of("batch", 2, "epochs", 3, "learning-rate", 0.01, "checkpoint", 2);
        Path trained = PairTraining.of(
                        recipe, List.of(new TrainingOrder(rows, "paper", changes, temp.resolve("m"))), engine()).getFirst()
                .run();
        Recipe after = RecipeBook.find(trained.toString());
        String text = "b d a f";
        try (WhiteBox inside = WhiteBox.open(after, engine());
                DenseEncoder graph = new DenseEncoder(StandIns.dense(after.settings()), engine())) {
            float[] expected = graph.vectors(List.of(graph.row(text, Role.PASSAGE)), Role.PASSAGE, false)
                    .getFirst();
            float[] found = inside.vector(text, Role.PASSAGE);
            assertClose(found, expected);
            assertThat(found).isNotEqualTo(WhiteBoxes.vector(recipe, text, temp));
        }
        assertThat(temp.resolve("m/model.torchscript")).hasSameBinaryContentAs(temp.resolve("model.torchscript"));
    }

    /** Graphs over 2 GiB have their weights in another file. */
    @Test
    void weightsBesideTheGraphAreTrainedToo() throws IOException {
        Recipe recipe = TinyModels.writeTorchscript(temp, "rotary", "mean");
        OnnxWeights whole = OnnxWeights.of("x", Files.readAllBytes(temp.resolve("model.onnx")));
        String words = "tokens.model.words.weight";
        float[] table = whole.weight(words).values();
        ByteBuffer numbers = ByteBuffer.allocate(table.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        numbers.asFloatBuffer().put(table);
        Files.write(temp.resolve("data"), numbers.array());
        Files.write(temp.resolve("model.onnx"), TinyModels.resource("torchscript/rotary-apart.onnx"));
        Map<String, Object> changes = Map.of("batch", 2, "epochs", 3, "learning-rate", 0.01);
        Path trained = PairTraining.of(
                        recipe, List.of(new TrainingOrder(pairs(), "paper", changes, temp.resolve("m"))), engine()).getFirst()
                .run();
        Recipe after = RecipeBook.find(trained.toString());
        assertThat(after.settings().texts("external-data")).containsExactly("data");
        float[] found = StandIns.dense(after.settings())
                .graph()
                .files()
                .graphWeights(temp)
                .weight(words)
                .values();
        float[] expected =
                new Safetensors(temp.resolve("m/model.safetensors")).tensor(words).values();
        assertThat(found).isEqualTo(expected).isNotEqualTo(whole.weight(words).values());
    }

    private Path pairs() throws IOException {
        return Files.writeString(temp.resolve("rows.jsonl"), """
                {"anchor": "a", "positive": "a b c d"}
                {"anchor": "c", "positive": "c d"}
                {"anchor": "e", "positive": "f e"}
                """);
    }

    private static void assertClose(float[] found, float[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).isCloseTo(expected[i], within(CLOSE));
        }
    }

    @Test
    void aGraphWithOtherWeightsIsRefusedBeforeTraining() throws IOException {
        Recipe recipe = TinyModels.writeTorchscript(temp, "rotary", "mean");
        byte[] graph = Files.readAllBytes(temp.resolve("model.onnx"));
        SortedMap<String, Weight> other = new TreeMap<>();
        other.put("tokens.model.norm.weight", new Weight(new float[8], List.of(8)));
        Files.write(
                temp.resolve("model.onnx"),
                OnnxWeights.of("x", graph).with(other));
        Path rows = pairs();
        assertThatThrownBy(() -> PairTraining.of(
                                recipe, List.of(new TrainingOrder(rows, "paper", Map.of(), temp.resolve("m"))), engine()).getFirst()
                        .run())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("model.onnx", "model.torchscript");
    }

    @Test
    void filesThatAreNotOfTheExport() throws IOException {
        Recipe recipe = TinyModels.writeTorchscript(temp, "rotary", "mean");
        Files.writeString(temp.resolve("model.torchscript"), "no archive");
        assertThatThrownBy(() -> WhiteBox.open(recipe, engine()).close())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("model.torchscript");
        Files.delete(temp.resolve("model.torchscript"));
        assertThatThrownBy(() -> WhiteBox.open(recipe, engine()).close())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("model.torchscript");
    }

    @Test
    void aModelWithoutAFileIsToldTheExport() {
        assertThat(WhiteBoxEngine.unfit(RecipeBook.find("qwen3-embedding-0.6b")).orElseThrow())
                .contains("export_onnx.py", "--torchscript");
        assertThatThrownBy(() -> WhiteBox.open(RecipeBook.find("qwen3-0.6b"), engine()).close())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("export_onnx.py qwen3-0.6b", "--torchscript");
    }

    /** MiniLM traced from plain PyTorch: the same losses, gradients and saliency as by the forward pass of posbias. */
    @Test
    void miniLmsNumbersAreThoseOfItsOwnForwardPass() throws IOException, InterruptedException {
        Recipe miniLm = RecipeBook.find("all-minilm-l6-v2");
        Path script = Path.of("scripts/tests/torchscript_golden.py").toAbsolutePath();
        assumeTrue(run("/usr/bin/python3", "-c", "import torch") == 0, "needs python3-torch");
        List<String> texts = List.of(
                "who fixed the old clock?",
                "what is position bias?",
                "The tower was built in 1901. Its old clock was fixed by Mary Ellen Brown, a watchmaker of the town.",
                "Position bias: search models find an answer less well when it stands late. ".repeat(8));
        try (Trainee own = Trainee.open(miniLm, new Trainee.Limits(64, 0, 0.01, 0), engine())) {
            Files.write(temp.resolve("own.safetensors"), TinyModels.bytes(own.weights()));
            assertThat(run(
                            "/usr/bin/python3",
                            script.toString(),
                            "--bert",
                            temp.resolve("own.safetensors").toString(),
                            "12",
                            temp.resolve("model.torchscript").toString()))
                    .isZero();
            Recipe traced = traced(miniLm);
            try (Trainee other = Trainee.open(traced, new Trainee.Limits(64, 0, 0.01, 0), engine())) {
                List<TokenRow> rows = new ArrayList<>();
                texts.forEach(text -> rows.add(own.rows(Role.PASSAGE).row(text)));
                for (int i = 0; i < 3; i++) {
                    double expected = step(own, rows, 1, 1e-4);
                    assertThat(step(other, rows, 1, 1e-4)).as("step %s", i).isCloseTo(expected, within(1e-5));
                    if (i == 0) {
                        assertGradients(own.state(), other.state());
                    }
                }
            }
        }
    }

    private static void assertGradients(Map<String, Weight> own, Map<String, Weight> other) {
        double most = 0;
        double largest = 0;
        for (String name : own.keySet()) {
            if (!name.startsWith(AdamW.FIRST) || name.contains("pooler")) {
                continue;
            }
            String weight = name.substring(AdamW.FIRST.length());
            float[] expected = gradient(own, weight);
            float[] found = gradient(other, "tokens.model." + weight);
            for (int i = 0; i < expected.length; i++) {
                most = Math.max(most, Math.abs(expected[i] - found[i]));
                largest = Math.max(largest, Math.abs(expected[i]));
            }
        }
        assertThat(largest).isGreaterThan(1000 * CLOSE);
        assertThat(most).isLessThan(CLOSE);
    }

    /** The recipe with the traced file instead of the family. */
    private Recipe traced(Recipe miniLm) throws IOException {
        ModelFiles files = StandIns.dense(miniLm.settings()).graph().files();
        Files.write(temp.resolve("tokenizer.json"), files.read(files.tokenizer(), temp));
        Map<String, @Nullable Object> fields = miniLm.settings().toMap();
        fields.put("source", Map.of("folder", "."));
        fields.put("onnx", Map.of("float32", "model.onnx"));
        fields.put("tokenizer", "tokenizer.json");
        fields.put(EvaluatedModel.TRANSFORMER, Map.of("torchscript", "model.torchscript"));
        Path recipe = temp.resolve("traced.yaml");
        Files.writeString(recipe, Json.toYaml(fields));
        return RecipeBook.find(recipe.toString());
    }

    private int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("python.log").toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }
}
