package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.inside.Training;
import io.posbias.model.inside.TrainingOrder;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole trainings of a tiny model on made-up pairs. */
@Tag("slow")
class PairTrainingTest {
    private static final int PAIRS = 20;
    private static final String WORDS = "abcdefgh";

    @TempDir
    Path temp;

    private Recipe recipe = RecipeBook.find("bm25");
    private final List<String> said = new ArrayList<>();

    @BeforeEach
    void write() throws IOException {
        recipe = TinyModels.writeGraph(temp);
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < PAIRS; i++) {
            String query = word(i) + " " + word(i / 3 + 1);
            rows.append(String.format(
                    "{\"anchor\":\"%s\",\"positive\":\"%s %s %s\"}%n", query, word(i * 5 + 2), query, word(i / 2)));
        }
        Files.writeString(temp.resolve("train.jsonl"), rows);
    }

    private static String word(int i) {
        return WORDS.substring(i % WORDS.length(), i % WORDS.length() + 1);
    }

    /** The changes that all trainings here have, and others. */
    private static Map<String, Object> changes(Object... namesAndValues) {
        Map<String, Object> changes = new HashMap<>(
                Map.of("batch", 8, "epochs", 4, "learning-rate", 0.01, "checkpoint", 2, "micro-batch", 20));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changes.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return changes;
    }

    private Training training(String out, Map<String, Object> changes, int threads, Progress progress) {
        Session quiet = Sessions.in(temp, Map.of(), said::add);
        Session session = new Session(quiet.environment(), temp, quiet.clock(), progress, said::add, quiet.shutdown());
        Engine engine = new Engine(Device.CPU, threads, 0, false, CallLimit.none(), session);
        return PairTraining.of(
                recipe, List.of(new TrainingOrder(temp.resolve("train.jsonl"), "paper", changes, temp.resolve(out))), engine).getFirst();
    }

    private Path train(String out, Map<String, Object> changes) {
        training(out, changes, 2, Progress.NONE).run();
        return temp.resolve(out);
    }

    /** Stops a training behind a step, as a kill would. */
    private void stopBehind(int steps, String out, Map<String, Object> changes) {
        Progress stop = (label, total) -> new Progress.Step() {
            private int done;

            @Override
            public void advance(long count) {
                if (++done == steps) {
                    throw new IllegalStateException("stopped");
                }
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> training(out, changes, 1, stop).run()).hasMessage("stopped");
    }

    private static List<Double> losses(Path out) {
        return record(out).losses();
    }

    /** The record without the digest of the recipe, which contains the name of the folder. */
    private static TrainingRecord record(Path out) {
        TrainingRecord whole = Json.bind(Json.readJson(out.resolve("train.json")), TrainingRecord.class);
        SortedMap<String, String> digests = new TreeMap<>(whole.filesSha256());
        digests.remove("recipe.yaml");
        return whole.with(digests);
    }

    @Test
    void theLossFalls() {
        List<Double> losses = losses(train("m", changes("epochs", 10)));
        assertThat(losses).hasSize(30);
        assertThat(losses.getLast()).isLessThan(losses.getFirst() / 2);
        assertThat(said.getFirst()).contains("20 pairs").contains("30 steps");
        assertThat(said.getLast()).matches("step 30 of 30: loss \\S+, \\S+ tokens/s, 0 s left");
    }

    @Test
    void weightsAreTheSameForAnyNumberOfThreadsAndHoweverTheBatchIsEncoded() {
        training("one", changes("kept-tokens", 0), 1, Progress.NONE).run();
        training("two", changes("kept-tokens", 0), 3, Progress.NONE).run();
        train("kept", changes());
        assertThat(temp.resolve("two/model.safetensors")).hasSameBinaryContentAs(temp.resolve("one/model.safetensors"));
        assertThat(temp.resolve("kept/model.safetensors"))
                .hasSameBinaryContentAs(temp.resolve("one/model.safetensors"));
        assertThat(record(temp.resolve("two"))).isEqualTo(record(temp.resolve("one")));
    }

    @Test
    void whatWasStoppedGoesOnToTheSameWeights() throws IOException {
        Path whole = train("whole", changes());
        stopBehind(5, "stopped", changes());
        Path stopped = temp.resolve("stopped");
        assertThat(stopped.toFile().list()).containsExactlyInAnyOrder(".posbias-folder", "checkpoint");
        assertThat(losses(stopped.resolve("checkpoint"))).hasSize(4);
        train("stopped", changes());
        assertThat(said).contains("goes on behind step 4 of 12");
        for (String file : List.of("model.safetensors", "model.onnx", "tokenizer.json")) {
            assertThat(stopped.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
        }
        assertThat(record(stopped)).isEqualTo(record(whole));
        assertThat(stopped.toFile().list())
                .containsExactlyInAnyOrder(
                        ".posbias-folder",
                        "model.safetensors",
                        "model.onnx",
                        "train.json",
                        "tokenizer.json",
                        "recipe.yaml");
    }

    @Test
    void aDamagedCheckpointIsRefused() throws IOException {
        stopBehind(5, "stopped", changes());
        Path weights = temp.resolve("stopped/checkpoint/model.safetensors");
        byte[] bytes = Files.readAllBytes(weights);
        bytes[bytes.length - 1] ^= 1;
        Files.write(weights, bytes);
        assertThatThrownBy(() -> train("stopped", changes()))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(weights.toString());
    }

    /** Its digest in the record is right. */
    @Test
    void aCheckpointHasNumbers() throws IOException {
        stopBehind(5, "stopped", changes());
        Path weights = temp.resolve("stopped/checkpoint/model.safetensors");
        String before = Checksums.sha256(weights);
        byte[] bytes = Files.readAllBytes(weights);
        Arrays.fill(bytes, bytes.length - Float.BYTES, bytes.length, (byte) -1);
        Files.write(weights, bytes);
        Path record = temp.resolve("stopped/checkpoint/train.json");
        Files.writeString(record, Files.readString(record).replace(before, Checksums.sha256(weights)));
        assertThatThrownBy(() -> train("stopped", changes()))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(weights.toString(), "NaN");
    }

    /** A kill behind the last file of the model leaves the checkpoint. */
    @Test
    void theCheckpointOfAFinishedTrainingIsDeleted() throws IOException {
        Path out = train("m", changes());
        Files.createDirectory(out.resolve("checkpoint"));
        Files.createFile(out.resolve("checkpoint/model.safetensors"));
        Path older = Files.createDirectory(out.resolve(".posbias-checkpoint-0123456789abcdef-old"));
        Files.createFile(older.resolve("model.safetensors"));
        train("m", changes());
        assertThat(out.resolve("checkpoint")).doesNotExist();
        assertThat(older).doesNotExist();
    }

    @Test
    void whatIsFinishedIsNotRepeatedAndAnotherTrainingRefused() throws IOException {
        Path out = train("m", changes());
        byte[] weights = Files.readAllBytes(out.resolve("model.safetensors"));
        said.clear();
        train("m", changes());
        assertThat(said).singleElement().asString().contains(out.toString(), "already");
        assertThatThrownBy(() -> train("m", changes("seed", 7)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("holds a training with other settings");
        Files.writeString(
                temp.resolve("train.jsonl"),
                "{\"anchor\":\"a\",\"positive\":\"b\"}\n{\"anchor\":\"c\",\"positive\":\"d\"}\n");
        assertThatThrownBy(() -> train("m", changes())).hasMessageContaining("holds a training with other data");
        assertThat(out.resolve("model.safetensors")).hasBinaryContent(weights);
    }

    @Test
    void whatWasTrainedIsInTheGraph() {
        Path out = train("m", changes());
        Recipe trained = RecipeBook.find(out.resolve("recipe.yaml").toString());
        assertThat(trained.name()).isEqualTo("m");
        assertThat(trained.settings().text("similarity")).isEqualTo("cosine");
        assertThat(WhiteBoxes.vector(trained, "a b c", temp))
                .isEqualTo(WhiteBoxes.vector(TinyModels.ofSafetensors(trained), "a b c", temp))
                .isNotEqualTo(WhiteBoxes.vector(recipe, "a b c", temp));
    }

    @Test
    void aLossThatIsNoNumberEndsTheTrainingAndLeavesTheCheckpoint() {
        assertThatThrownBy(() -> train("m", changes("learning-rate", 1e38)))
                .isInstanceOf(PosbiasException.class)
                .hasMessageMatching("the (loss|gradient) of step \\d+ .*")
                .hasMessageMatching(".*train.jsonl:\\d+\\).*");
        assertThat(temp.resolve("m/model.safetensors")).doesNotExist();
        assertThat(losses(temp.resolve("m/checkpoint"))).hasSize(2);
    }

    @Test
    void aRateRisesInALineAndFallsToZero() {
        TrainingSettings settings = TrainingSettings.of(
                new TrainingOrder(temp, "paper", Map.of("learning-rate", 1.0), temp));
        assertThat(settings.rate(0, 100)).isZero();
        assertThat(settings.rate(5, 100)).isEqualTo(0.5);
        assertThat(settings.rate(10, 100)).isEqualTo(1);
        assertThat(settings.rate(55, 100)).isEqualTo(0.5);
        assertThat(settings.rate(99, 100)).isEqualTo(1 / 90.0);
    }
}
