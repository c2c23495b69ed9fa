package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.files.Staging;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code pipeline.yaml}: provenance and counts of the finished stages of a construction. Contains no times, so equal
 * runs give equal bytes.
 *
 * @param pipeline the pipeline's record with the changes of this run
 * @param languageModels by role
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PipelineRecord(
        String schema,
        String posbias,
        SequencedMap<String, @Nullable Object> pipeline,
        List<Input> inputs,
        Map<String, Service> languageModels,
        List<Finished> stages) {
    public static final String SCHEMA = "posbias/pipeline/1";

    static final String FILE = "pipeline.yaml";
    /** Folder of the stages' files. */
    static final String FOLDER = "stages";

    /** A note of the first stage: how many documents are used. */
    static final String DOCUMENTS = "documents";

    /**
     * An input file.
     *
     * @param file as given, or relative to the given folder
     */
    public record Input(String file, String sha256) {}

    public record Service(String model, String endpoint, String sampling) {}

    /**
     * A finished stage.
     *
     * @param key SHA-256 of settings, models, prompts and the previous stage's key
     * @param inputs digests of prompts and models, see {@link Stage#inputs}
     * @param file its candidates, relative to the folder
     * @param published the paper's counts by position; {@code all} for their sum
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Finished(
            String name,
            String kind,
            String key,
            @Nullable Object inputs,
            String file,
            String sha256,
            @Nullable Map<String, Long> published,
            Counts counts) {}

    static Optional<PipelineRecord> find(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Fields fields = Json.readYaml(file);
        fields.refuseOtherSchema(SCHEMA, "it was written by another version of posbias: give a new folder");
        return Optional.of(Json.bind(fields, PipelineRecord.class));
    }

    public static PipelineRecord read(Path folder) {
        return find(folder)
                .orElseThrow(() -> new UsageException(
                        folder + (Files.isDirectory(folder) ? " contains no " + FILE : ": folder not found")
                                + "; give the --out of 'posbias construct'"));
    }

    PipelineRecord with(Finished stage) {
        List<Finished> more = new ArrayList<>(stages);
        more.add(stage);
        return new PipelineRecord(schema, posbias, pipeline, inputs, languageModels, more);
    }

    void write(Path folder) {
        Staging.writeFile(folder.resolve(FILE), Json.toYaml(this));
    }

    /**
     * Counts of a stage.
     *
     * @param dropped by reason
     * @param positions kept candidates by {@linkplain Candidate#POSITION position}; may be empty
     * @param notes other findings by name
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Counts(
            long kept, Map<String, Long> dropped, Map<String, Long> positions, SequencedMap<String, Object> notes) {
        long allDropped() {
            return dropped.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** Returns counts by reason in parentheses, the greatest first; empty for none. */
    static String reasons(Map<String, Long> counts) {
        return counts.isEmpty()
                ? ""
                : counts.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                        .map(reason -> reason.getValue() + " " + reason.getKey())
                        .collect(Collectors.joining(", ", " (", ")"));
    }
}
