package io.posbias.model.inside.torch;

import io.posbias.score.result.EvaluatedModel;
import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.files.FileNames;
import io.posbias.base.json.Json;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.OwnFolder;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.text.Suggestions;
import io.posbias.base.process.UsageException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.OnnxWeights;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.inside.Architecture;
import io.posbias.model.inside.WeightFiles;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Output folder of a training. It contains {@code checkpoint} during the training, and finally the model, its recipe
 * and the record.
 *
 * @param recipe of the initial model
 */
record TrainedFolder(Path path, DenseRecipe recipe, Engine engine) {
    static final String RECIPE = "recipe.yaml";
    private static final String WEIGHTS = "model.safetensors";
    private static final String GRAPH = "model.onnx";
    private static final String TORCHSCRIPT = "model.torchscript";
    private static final String TOKENIZER = "tokenizer.json";
    private static final String CHECKPOINT = "checkpoint";
    private static final String STATE = "optimizer.safetensors";

    /** Recipe fields about the initial model's files and publication. */
    private static final List<String> OF_FILES = List.of(
            "external-data", "attention-calibration", "hub-names", "published-as", "citation", "unknown", "precision", "head", "normalise");

    /**
     * Locks the folder for the training. Waits for other processes.
     *
     * @throws UsageException if the folder contains other files
     */
    LockFile claim() {
        return new OwnFolder(path, "train").claim(engine.session());
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

    private ModelFiles files() {
        return recipe.model().graph().files();
    }

    /** ONNX file and trained weights by their names in it. */
    private record Graph(OnnxWeights file, Map<String, Weight> weights) {}

    private Graph graph(Trainee trainee) {
        OnnxWeights file = files().graphWeights(engine.home());
        return new Graph(file, WeightFiles.inGraph(files().graph(), file, trainee.table(), trainee.weights()));
    }

    private String torchscript() {
        return Architecture.of(recipe).torchscript();
    }

    /** Checks that the initial model is that of its ONNX file, and that the file can store the trained weights. */
    void check(Trainee trainee) {
        Graph graph = graph(trainee);
        graph.file.with(graph.weights);
        GraphCheck.of(recipe, engine).compare(trainee.box());
    }

    /** Writes a checkpoint, which replaces the previous one once complete. */
    void keep(Trainee trainee, TrainingRecord record) {
        try (Staging staging = Staging.beside(checkpoint(), engine.session())) {
            write(staging, WEIGHTS, trainee.weights());
            SortedMap<String, Weight> state = trainee.state();
            for (String moment : Trainee.MOMENTS) {
                SortedMap<String, Weight> own = new TreeMap<>(state);
                own.keySet().removeIf(name -> !name.startsWith(moment));
                write(staging, moment + STATE, own);
            }
            seal(staging, record);
            staging.commitFolder();
        }
        engine.session().shutdown().keeps("the checkpoint in " + path);
    }

    /** Writes the record with the digests of all staged files. */
    private void seal(Staging staging, TrainingRecord record) {
        SortedMap<String, String> digests = new TreeMap<>();
        for (Path file : IoErrors.call("read", staging.target(), () -> listed(staging.folder()))) {
            digests.put(String.valueOf(file.getFileName()), Checksums.sha256(file));
        }
        write(staging, TrainingRecord.FILE, Json.toBytes(record.with(digests)));
    }

    private static List<Path> listed(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    /**
     * Restores the model from the last checkpoint.
     *
     * @throws PosbiasException if a file of the checkpoint is missing or has been changed
     */
    void restore(Trainee trainee, TrainingRecord record) {
        verify(checkpoint(), record);
        Map<String, Weight> state = new LinkedHashMap<>();
        Trainee.MOMENTS.forEach(moment -> state.putAll(tensors(moment + STATE)));
        trainee.restore(record.losses().size(), tensors(WEIGHTS), state);
    }

    private Map<String, Weight> tensors(String name) {
        Path file = checkpoint().resolve(name);
        Safetensors read = new Safetensors(file);
        Map<String, Weight> tensors = new LinkedHashMap<>();
        read.names().forEach(tensor -> {
            Weight weight = read.tensor(tensor);
            for (float number : weight.values()) {
                if (!Float.isFinite(number)) {
                    throw new PosbiasException(file + " has " + number + " in " + tensor
                            + ": delete the folder, and train again");
                }
            }
            tensors.put(tensor, weight);
        });
        return tensors;
    }

    /** Writes the trained model atomically and removes the checkpoint. */
    void finish(Trainee trainee, TrainingRecord record) {
        ModelFiles files = files();
        try (Staging staging = Staging.within(path, engine.session())) {
            write(staging, WEIGHTS, trainee.weights());
            Graph graph = graph(trainee);
            write(staging, GRAPH, graph.file.with(graph.weights));
            graph.file.files().forEach(name -> copy(files.besideGraph(name), staging, name));
            graph.file.overwrite(graph.weights, staging.folder());
            if (!torchscript().isEmpty()) {
                copy(torchscript(), staging, TORCHSCRIPT);
            }
            write(staging, TOKENIZER, files.read(files.tokenizer(), engine.home()));
            write(staging, RECIPE, Json.toYaml(trained(record, graph.file.files())).getBytes(StandardCharsets.UTF_8));
            seal(staging, record);
            staging.commitFiles(TrainingRecord.FILE);
        }
        dropCheckpoint();
    }

    private void dropCheckpoint() {
        // Removes or restores an older checkpoint left by a killed process.
        Staging.beside(checkpoint(), engine.session()).close();
        Staging.delete(checkpoint());
    }

    /**
     * Verifies the files of a finished training, and removes a checkpoint left by a killed process.
     *
     * @throws PosbiasException if a file is missing or has been changed
     */
    void verify(TrainingRecord record) {
        verify(path, record);
        dropCheckpoint();
    }

    private static void verify(Path folder, TrainingRecord record) {
        record.filesSha256().forEach((name, sha256) -> {
            Path file = FileNames.directlyIn(folder, name);
            if (!Files.isRegularFile(file) || !Checksums.sha256(file).equals(sha256)) {
                throw new PosbiasException(file + " is not the file that the training wrote: delete the folder, and train again");
            }
        });
    }

    private void write(Staging staging, String name, byte[] content) {
        IoErrors.run("write", staging.target(), () -> Files.write(staging.folder().resolve(name), content));
    }

    private void write(Staging staging, String name, SortedMap<String, Weight> tensors) {
        IoErrors.run("write", staging.target(), () -> {
            try (OutputStream out = Files.newOutputStream(staging.folder().resolve(name))) {
                Safetensors.write(tensors, out);
            }
        });
    }

    private void copy(String file, Staging staging, String name) {
        IoErrors.run("write", staging.target(), () -> Files.copy(
                files().require(file, engine.home()), FileNames.directlyIn(staging.folder(), name)));
    }

    /** Returns the recipe of the trained model. Similarity is cosine, as in training. */
    private SequencedMap<String, @Nullable Object> trained(TrainingRecord record, Set<String> beside) {
        Fields old = recipe.settings();
        SequencedMap<String, @Nullable Object> fields = old.toMap();
        fields.keySet().removeAll(OF_FILES);
        fields.put("name", String.valueOf(path.toAbsolutePath().normalize().getFileName()));
        fields.put(
                "description",
                recipe.name() + ", trained for " + record.losses().size() + " steps on "
                        + record.data().path());
        fields.put("source", Map.of("folder", "."));
        fields.put("onnx", Map.of(Suggestions.word(files().precision()), GRAPH));
        if (!beside.isEmpty()) {
            fields.put("external-data", List.copyOf(beside));
        }
        fields.put("tokenizer", TOKENIZER);
        fields.put("similarity", "cosine");
        SequencedMap<String, @Nullable Object> transformer =
                old.record(EvaluatedModel.TRANSFORMER).toMap();
        transformer.remove("source");
        transformer.remove("weights");
        if (!torchscript().isEmpty()) {
            transformer.put("torchscript", TORCHSCRIPT);
            transformer.put("weights", WEIGHTS);
        }
        fields.put(EvaluatedModel.TRANSFORMER, transformer);
        return fields;
    }
}
