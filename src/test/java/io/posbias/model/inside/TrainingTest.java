package io.posbias.model.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.worker.RecordedWorker;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.WorkerRecipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trainings of a tiny model from recorded answers of the worker; its losses: scripts/peers/training.py. */
@DisabledOnOs(OS.WINDOWS)
class TrainingTest {
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
                Map.of("batch", 8, "epochs", 2, "learning-rate", 0.01, "checkpoint", 3, "micro-batch", 20));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changes.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return changes;
    }

    private Training training(String out, Map<String, Object> changes, Progress progress) throws IOException {
        Session quiet = Sessions.in(temp, RecordedWorker.environment(temp, "training"), said::add);
        Session session = new Session(quiet.environment(), temp, quiet.clock(), progress, said::add, quiet.shutdown());
        Engine engine = new Engine(Device.CPU, 1, 0, false, CallLimit.none(), session);
        return Training.of(
                        recipe,
                        List.of(new TrainingOrder(temp.resolve("train.jsonl"), "paper", changes, temp.resolve(out))),
                        engine)
                .getFirst();
    }

    private Path train(String out, Map<String, Object> changes) throws IOException {
        training(out, changes, Progress.NONE).run();
        return temp.resolve(out);
    }

    /** Stops a training behind a step, as a kill would. */
    private void stopBehind(int steps, String out, Map<String, Object> changes) throws IOException {
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
        Training training = training(out, changes, stop);
        assertThatThrownBy(training::run).hasMessage("stopped");
    }

    /** The record without the digest of the recipe, which contains the name of the folder. */
    private static TrainingRecord record(Path out) {
        TrainingRecord whole = Json.bind(Json.readJson(out.resolve("train.json")), TrainingRecord.class);
        SortedMap<String, String> digests = new TreeMap<>(whole.filesSha256());
        digests.remove("recipe.yaml");
        return whole.with(digests);
    }

    @Test
    void aTrainedModelIsAFolderOfTheWorkers() throws IOException {
        Path out = train("m", changes());
        TrainingRecord record = record(out);
        assertThat(record.losses()).hasSize(6);
        assertThat(record.losses().getLast()).isLessThan(record.losses().getFirst());
        assertThat(record.engine()).contains("torch", "cpu", "1 thread");
        assertThat(record.data().truncated()).isZero();
        assertThat(record.filesSha256()).containsKeys("model.safetensors", "modules.json", "1_Pooling/config.json");
        assertThat(said).anySatisfy(line -> assertThat(line).contains("20 pairs", "6 steps"));
        assertThat(said)
                .anySatisfy(line -> assertThat(line).matches("step 6 of 6: loss \\S+, \\S+ tokens/s, 0 s left"));
        Recipe trained = RecipeBook.find(out.resolve("recipe.yaml").toString());
        assertThat(trained.name()).isEqualTo("m");
        assertThat(trained).isInstanceOfSatisfying(WorkerRecipe.class, worker -> {
            assertThat(worker.isDense()).isTrue();
            assertThat(worker.given().isOwn()).isTrue();
        });
    }

    @Test
    void whatWasStoppedGoesOnFromItsCheckpoint() throws IOException {
        Path whole = train("whole", changes());
        stopBehind(4, "stopped", changes());
        Path stopped = temp.resolve("stopped");
        assertThat(stopped.toFile().list()).containsExactlyInAnyOrder(".posbias-folder", "checkpoint");
        assertThat(record(stopped.resolve("checkpoint")).losses()).hasSize(3);
        train("stopped", changes());
        assertThat(said).contains("goes on behind step 3 of 6");
        assertThat(record(stopped)).isEqualTo(record(whole));
        assertThat(stopped.resolve("model.safetensors")).hasSameBinaryContentAs(whole.resolve("model.safetensors"));
        assertThat(stopped.resolve("checkpoint")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"model.safetensors", "optimizer.safetensors"})
    void aDamagedCheckpointIsRefused(String file) throws IOException {
        stopBehind(4, "stopped", changes());
        Path weights = temp.resolve("stopped/checkpoint").resolve(file);
        byte[] bytes = Files.readAllBytes(weights);
        bytes[bytes.length - 1] ^= 1;
        Files.write(weights, bytes);
        assertThatThrownBy(() -> train("stopped", changes()))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(weights.toString());
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
        assertThat(said).anySatisfy(line -> assertThat(line).contains(out.toString(), "already"));
        assertThatThrownBy(() -> train("m", changes("seed", 7)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("holds a training with other settings");
        Files.writeString(
                temp.resolve("train.jsonl"),
                "{\"anchor\":\"a\",\"positive\":\"b\"}\n{\"anchor\":\"c\",\"positive\":\"d\"}\n");
        assertThatThrownBy(() -> train("m", changes())).hasMessageContaining("holds a training with other data");
        assertThat(out.resolve("model.safetensors")).hasBinaryContent(weights);
    }

    /** The record of a training has the digests of all files that it read. */
    @Test
    void aTrainingOfOtherWeightsIsAnotherTraining() throws IOException {
        byte[] weights = TinyModels.golden(Family.BERT, ".safetensors");
        recipe = TinyModels.write(temp, weights, "transformer: {family: bert, heads: 4, weights: model.safetensors}");
        train("m", changes());
        weights[weights.length - 1] ^= 1;
        Files.write(temp.resolve("model.safetensors"), weights);
        assertThatThrownBy(() -> train("m", changes()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("other model");
    }

    @Test
    void aLossThatIsNoNumberEndsTheTrainingAndLeavesTheCheckpoint() {
        assertThatThrownBy(() -> train("m", changes("learning-rate", 1e38, "checkpoint", 1)))
                .isInstanceOf(PosbiasException.class)
                .hasMessageMatching(".*the (loss|gradient) is (nan|inf).*step \\d of 6; the checkpoint behind step .*");
        assertThat(temp.resolve("m/model.safetensors")).doesNotExist();
        assertThat(record(temp.resolve("m/checkpoint")).losses()).isNotEmpty();
    }

    /** The rate rises from 0. */
    @Test
    void aTrainingThatChangesNothingIsRefused() {
        assertThatThrownBy(() -> training("m", changes("steps", 1), Progress.NONE))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("warm-up");
        assertThat(settings("steps", 1, "warm-up", 0).steps(List.of(PAIRS))).isEqualTo(1);
    }

    /** The first text of a bin has as many characters as its edge; a character outside the basic plane is one. */
    @Test
    void lengthBinsHaveTheirOwnBatches() throws IOException {
        Path rows = temp.resolve("lengths.jsonl");
        StringBuilder lines = new StringBuilder();
        for (String text : List.of("a", "a b", "a\uD83D\uDE00", "a b c", "a b c d", "a b d")) {
            lines.append(String.format("{\"anchor\":\"a\",\"positive\":\"%s\"}%n", text));
        }
        Files.writeString(rows, lines);
        TrainingSettings settings = settings("length-edges", List.of(3, 5, 100), "batch", 2);
        assertThat(settings.bins(TrainingSet.read(rows).pairs())).containsExactly(2, 1, 3, 0);
        assertThat(settings.steps(List.of(2, 1, 3, 0))).isEqualTo(8);
        assertThat(settings("length-edges", List.of())
                        .bins(TrainingSet.read(rows).pairs()))
                .containsExactly(6);
    }

    private TrainingSettings settings(Object... namesAndValues) {
        return TrainingSettings.of(new TrainingOrder(temp, "paper", changes(namesAndValues), temp.resolve("m")));
    }

    /** A pair whose batch has no other passage has the loss 0. */
    @Test
    void batchesAreOfOneLengthBin() throws IOException {
        Files.writeString(temp.resolve("train.jsonl"), """
            {"anchor":"a","positive":"a b"}
            {"anchor":"b","positive":"b c"}
            {"anchor":"c","positive":"c d e f"}
            {"anchor":"d","positive":"d e f g"}
            {"anchor":"e","positive":"e f g h a b"}
            """);
        Path out = train("m", changes("length-edges", List.of(5, 10)));
        TrainingRecord record = record(out);
        assertThat(record.data().lengthBins()).containsExactly(2, 2, 1);
        assertThat(record.losses()).hasSize(6);
        assertThat(record.losses().subList(0, 3)).filteredOn(loss -> loss == 0).hasSize(1);
        assertThat(record.losses().subList(3, 6)).filteredOn(loss -> loss == 0).hasSize(1);
        assertThat(said).anySatisfy(line -> assertThat(line).contains("bins of 2, 2, 1", "1 batches of a single pair"));
        assertThat(record(train("any", changes("length-edges", 0))).losses())
                .hasSize(2)
                .doesNotContain(0.0);
    }

    @Test
    void theWorkerIsToldTheSettingsAndTheWarmUp() {
        TrainingSettings settings =
                TrainingSettings.of(new TrainingOrder(temp, "paper", Map.of("pooling", "last"), temp.resolve("m")));
        assertThat(settings.warmUpSteps(15)).isEqualTo(2);
        assertThat(Json.mapper().writeValueAsString(settings))
                .contains("\"pooling\":\"last\"", "\"learning_rate\":2.0E-5", "\"negatives\":1")
                .doesNotContain("fields");
    }
}
