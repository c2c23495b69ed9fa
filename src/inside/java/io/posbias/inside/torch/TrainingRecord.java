package io.posbias.inside.torch;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Fields;
import io.posbias.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code train.json} beside trained weights: how they were made. It says no times, so that the same work makes the same bytes.
 *
 * @param schema {@link #SCHEMA}
 * @param posbias version of the tool
 * @param pytorch version of the library
 * @param device what it ran on; the same weights to the bit are to be had on the CPU alone
 * @param model the recipe of the model that was trained
 * @param modelSha256 over the names and contents of its files; empty where its recipe names them for good
 * @param settings of the training
 * @param data what it was trained on
 * @param steps how many there are in all
 * @param losses of the steps so far, in nats
 * @param filesSha256 of the files beside the record, by name: a checkpoint's or the trained model's
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TrainingRecord(
        String schema,
        String posbias,
        String pytorch,
        String device,
        SequencedMap<String, @Nullable Object> model,
        String modelSha256,
        SequencedMap<String, @Nullable Object> settings,
        Data data,
        int steps,
        List<Double> losses,
        SortedMap<String, String> filesSha256) {
    /** Name and version of the form. */
    public static final String SCHEMA = "posbias/training/1";

    static final String FILE = "train.json";

    /**
     * What a model was trained on.
     *
     * @param path as the command line named it
     * @param sha256 of its files
     * @param pairs of a query and a passage
     * @param documents that passages are of
     * @param passageTokens of all passages, once each pair, as they are read; special tokens included
     * @param queryTokens the same for queries
     * @param truncated pairs whose passage does not fit
     * @param evidenceCut those of them whose evidence ends behind the cut; null where the data does not say where it is
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Data(
            String path,
            String sha256,
            int pairs,
            long documents,
            long passageTokens,
            long queryTokens,
            int truncated,
            @Nullable Integer evidenceCut) {
        long tokens() {
            return passageTokens + queryTokens;
        }
    }

    /** The record in a folder; empty where there is none. */
    static Optional<TrainingRecord> find(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Fields fields = Json.readJson(file);
        fields.refuseOtherSchema(SCHEMA, "it was written by another version of posbias: give a new folder");
        return Optional.of(Json.bind(fields, TrainingRecord.class));
    }

    /** What of another training makes it another one, in a word; empty where both make the same weights. */
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
        return posbias.equals(other.posbias) && pytorch.equals(other.pytorch) && device.equals(other.device)
                ? Optional.empty()
                : Optional.of("version or device");
    }

    private static String text(Object record) {
        return Json.mapper().writeValueAsString(record);
    }

    /** The same after more steps. */
    TrainingRecord with(List<Double> more) {
        return new TrainingRecord(
                schema,
                posbias,
                pytorch,
                device,
                model,
                modelSha256,
                settings,
                data,
                steps,
                new ArrayList<>(more),
                filesSha256);
    }

    /** The same with the digests of the trained model's files. */
    TrainingRecord with(SortedMap<String, String> digests) {
        return new TrainingRecord(
                schema, posbias, pytorch, device, model, modelSha256, settings, data, steps, losses, digests);
    }
}
