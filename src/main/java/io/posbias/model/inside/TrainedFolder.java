package io.posbias.model.inside;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.OwnFolder;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.worker.WorkerSettings;
import io.posbias.model.encode.worker.WorkerTraining;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.WorkerRecipe;
import io.posbias.score.result.EvaluatedModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Output folder of a training. It contains {@code checkpoint} during the training, and finally the model, as
 * sentence-transformers saves it, its recipe and the record.
 *
 * @param recipe of the initial model
 */
record TrainedFolder(Path path, Recipe recipe, Session session) {
    static final String RECIPE = "recipe.yaml";
    private static final String CHECKPOINT = "checkpoint";

    /**
     * Locks the folder for the training. Waits for other processes.
     *
     * @throws UsageException if the folder contains other files
     */
    LockFile claim() {
        return new OwnFolder(path, "train").claim(session);
    }

    /**
     * Returns the record of the finished or last checkpointed training in the folder.
     *
     * @return empty if no training has begun
     * @throws UsageException if the folder contains another training
     */
    Optional<TrainingRecord> begun(TrainingRecord wanted) {
        Staging.restore(checkpoint());
        Optional<TrainingRecord> there = TrainingRecord.find(path).or(() -> TrainingRecord.find(checkpoint()));
        there.flatMap(wanted::differsIn).ifPresent(what -> {
            throw new UsageException("--out " + path + " holds a training with other " + what
                    + ": give a new folder, or delete it first");
        });
        return there;
    }

    private Path checkpoint() {
        return path.resolve(CHECKPOINT);
    }

    /** Writes a checkpoint, which replaces the previous one once complete. */
    void keep(WorkerTraining training, TrainingRecord record) {
        try (Staging staging = Staging.beside(checkpoint(), session)) {
            training.keep(staging.folder());
            seal(staging, record);
            staging.commitFolder();
        }
        session.shutdown().keeps("the checkpoint in " + path);
    }

    /** Writes the record with the digests of all staged files. */
    private static void seal(Staging staging, TrainingRecord record) {
        SortedMap<String, String> digests = new TreeMap<>();
        IoErrors.run(
                "read",
                staging.target(),
                () -> FileNames.below(staging.folder())
                        .forEach(file -> digests.put(
                                FileNames.slashed(staging.folder().relativize(file)), Checksums.sha256(file))));
        write(staging, TrainingRecord.FILE, Json.toBytes(record.with(digests)));
    }

    /**
     * Returns the checkpoint of a training.
     *
     * @throws PosbiasException if a file is missing or has been changed
     */
    Path verified(TrainingRecord begun) {
        verify(checkpoint(), begun);
        return checkpoint();
    }

    /** Writes the trained model atomically and removes the checkpoint. */
    void finish(WorkerTraining training, TrainingRecord record) {
        try (Staging staging = Staging.within(path, session)) {
            training.save(staging.folder());
            write(staging, RECIPE, Json.toYaml(trained(record)).getBytes(StandardCharsets.UTF_8));
            seal(staging, record);
            staging.commitFiles(TrainingRecord.FILE);
        }
        dropCheckpoint();
    }

    private void dropCheckpoint() {
        // Removes or restores an older checkpoint left by a killed process.
        Staging.beside(checkpoint(), session).close();
        Staging.delete(checkpoint());
    }

    /**
     * Verifies the files of a finished training, and removes a checkpoint left by a killed process.
     *
     * @throws PosbiasException if a file is missing or has been changed
     */
    void verifyFinished(TrainingRecord record) {
        verify(path, record);
        dropCheckpoint();
    }

    private static void verify(Path folder, TrainingRecord record) {
        record.filesSha256().forEach((name, sha256) -> {
            Path file = FileNames.inside(folder, name);
            if (!Files.isRegularFile(file) || !Checksums.sha256(file).equals(sha256)) {
                throw new PosbiasException(
                        file + " is not the file that the training wrote: delete the folder, and train again");
            }
        });
    }

    private static void write(Staging staging, String name, byte[] content) {
        IoErrors.run(
                "write", staging.target(), () -> Files.write(staging.folder().resolve(name), content));
    }

    /** Returns the recipe of the trained model, which a worker loads from its folder. */
    private Map<String, Object> trained(TrainingRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", String.valueOf(path.toAbsolutePath().normalize().getFileName()));
        fields.put("kind", "worker");
        fields.put("family", recipe.family());
        fields.put(
                "description",
                recipe.name() + ", trained for " + record.losses().size() + " steps on "
                        + record.data().path());
        Map<String, @Nullable Object> trained = new LinkedHashMap<>(record.settings());
        trained.remove("seed");
        trained.put("model", recipe.name());
        trained.put("data", record.data().sha256());
        fields.put(EvaluatedModel.TRAINED, trained);
        fields.put("gives", "dense");
        fields.put("command", List.of("python3", WorkerSettings.OWN, "--model", "./"));
        if (recipe instanceof WorkerRecipe worker && worker.given().trustRemoteCode()) {
            fields.put("trust-remote-code", true);
        }
        return fields;
    }
}
