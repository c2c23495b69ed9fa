package io.posbias.model.inside;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.encode.worker.WorkerTraining;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Provenance of trained weights, {@code train.json} in their folder. It has no timestamps, so that repeated trainings
 * write identical bytes.
 *
 * @param schema {@link #SCHEMA}
 * @param posbias version of posbias
 * @param engine versions of libraries, device, type of numbers and threads; weights are bit-identical only on the CPU
 * @param model recipe of the initial model
 * @param modelSha256 digest of the names and contents of the model's files; empty if the recipe pins them
 * @param steps planned number of steps
 * @param losses of the completed steps, in nats
 * @param filesSha256 digests of the checkpoint's or the trained model's files, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainingRecord(
        String schema,
        String posbias,
        String engine,
        SequencedMap<String, @Nullable Object> model,
        String modelSha256,
        SequencedMap<String, @Nullable Object> settings,
        Data data,
        int steps,
        List<Double> losses,
        SortedMap<String, String> filesSha256) {
    /** Name and version of the schema. */
    public static final String SCHEMA = "posbias/training/2";

    static final String FILE = "train.json";

    /**
     * Training data.
     *
     * @param path as given on the command line
     * @param sha256 digest of the files
     * @param pairs number of pairs
     * @param documents number of documents of the passages
     * @param passageTokens tokens of the passages of all pairs after truncation, with special tokens
     * @param queryTokens tokens of the queries of all pairs after truncation, with special tokens
     * @param truncated number of pairs with a truncated passage; null if the model's tokenizer does not say
     * @param evidenceCut number of pairs with truncated evidence; null likewise, or if the data has no evidence spans
     * @param negatives number of hard negatives; null if the data has none
     * @param lengthBins number of pairs in each length bin; null if there is one
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Data(
            String path,
            String sha256,
            int pairs,
            long documents,
            long passageTokens,
            long queryTokens,
            @Nullable Integer truncated,
            @Nullable Integer evidenceCut,
            @Nullable Integer negatives,
            @Nullable List<Integer> lengthBins) {
        /** Returns what the files say; tokens are counted by {@link #with}. */
        static Data of(TrainingSet set, List<Integer> bins) {
            boolean known = set.pairs().stream().anyMatch(pair -> pair.evidenceEnd() != Pair.UNKNOWN);
            return new Data(
                    set.path().toString(),
                    set.sha256(),
                    set.pairs().size(),
                    set.documents(),
                    0,
                    0,
                    null,
                    known ? 0 : null,
                    set.negatives() == 0 ? null : set.negatives(),
                    bins.size() == 1 ? null : bins);
        }

        Data with(WorkerTraining.Counts counts) {
            return new Data(
                    path,
                    sha256,
                    pairs,
                    documents,
                    counts.passageTokens(),
                    counts.queryTokens(),
                    counts.truncated(),
                    evidenceCut == null ? null : counts.evidenceCut(),
                    negatives,
                    lengthBins);
        }
    }

    /** Reads the record of a folder; empty if there is none. */
    static Optional<TrainingRecord> find(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Fields fields = Json.readJson(file);
        fields.refuseOtherSchema(SCHEMA, "it was written by another version of posbias: give a new folder");
        return Optional.of(Json.bind(fields, TrainingRecord.class));
    }

    /** Returns the first difference of two trainings; empty if both give the same weights. */
    Optional<String> differsIn(TrainingRecord other) {
        if (!data.sha256.equals(other.data.sha256)) {
            return Optional.of("data");
        }
        if (!text(model).equals(text(other.model)) || !modelSha256.equals(other.modelSha256)) {
            return Optional.of("model");
        }
        if (!text(settings).equals(text(other.settings))) {
            return Optional.of("settings");
        }
        return posbias.equals(other.posbias) && engine.equals(other.engine)
                ? Optional.empty()
                : Optional.of("versions, device or threads (" + other.engine + ")");
    }

    private static String text(Object record) {
        return Json.mapper().writeValueAsString(record);
    }

    TrainingRecord with(Data counted) {
        return new TrainingRecord(
                schema, posbias, engine, model, modelSha256, settings, counted, steps, losses, filesSha256);
    }

    TrainingRecord with(List<Double> more) {
        return new TrainingRecord(
                schema, posbias, engine, model, modelSha256, settings, data, steps, new ArrayList<>(more), filesSha256);
    }

    TrainingRecord with(SortedMap<String, String> digests) {
        return new TrainingRecord(schema, posbias, engine, model, modelSha256, settings, data, steps, losses, digests);
    }
}
