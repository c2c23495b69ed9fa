package io.posbias.build;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.Staging;
import io.posbias.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code pipeline.yaml} in the folder of a construction: how it was made, and what came of each stage that is finished. It
 * says no times, so that the same work makes the same bytes.
 *
 * @param schema {@link #SCHEMA}
 * @param posbias version of the tool
 * @param pipeline the pipeline's record, with what was set for this run
 * @param inputs the files of documents
 * @param languageModels who was asked for each role
 * @param stages those that are finished, in order
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PipelineRecord(
        String schema,
        String posbias,
        SequencedMap<String, @Nullable Object> pipeline,
        List<Input> inputs,
        Map<String, Service> languageModels,
        List<Finished> stages) {
    /** Name and version of the form. */
    public static final String SCHEMA = "posbias/pipeline/1";

    static final String FILE = "pipeline.yaml";

    /**
     * A file of documents.
     *
     * @param file as the command line named it, or inside the folder that it named
     */
    public record Input(String file, String sha256) {}

    /** A language model and where it is. */
    public record Service(String model, String endpoint, String sampling) {}

    /**
     * A stage that is finished.
     *
     * @param name unique in the pipeline
     * @param kind one of {@link Stages}
     * @param key what its outcome depends on: SHA-256 over its settings, the models and prompts it names, and the key of the
     *     stage before
     * @param inputs prompts' and models' digests, as {@link Stage#inputs} gives them
     * @param file its candidates, relative to the folder
     * @param sha256 of that file
     * @param published the paper's counts, by position; {@code all} for their sum
     * @param counts what came of it
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

    /** The record in a folder; empty where there is none. */
    static Optional<PipelineRecord> find(Path folder) {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Fields fields = Json.readYaml(file);
        fields.refuseOtherSchema(SCHEMA, "it was written by another version of posbias: give a new folder");
        return Optional.of(Json.bind(fields, PipelineRecord.class));
    }

    /**
     * The record in a folder.
     *
     * @throws UsageException if there is none
     */
    public static PipelineRecord read(Path folder) {
        return find(folder)
                .orElseThrow(() -> new UsageException(
                        folder + (Files.isDirectory(folder) ? " holds no " + FILE : ": no such folder")
                                + "; give the --out of 'posbias construct'"));
    }

    /** The same with one more stage finished. */
    PipelineRecord with(Finished stage) {
        List<Finished> more = new ArrayList<>(stages);
        more.add(stage);
        return new PipelineRecord(schema, posbias, pipeline, inputs, languageModels, more);
    }

    /** Writes it, whole or not at all. */
    void write(Path folder) {
        Staging.writeFile(folder.resolve(FILE), Json.toYaml(this));
    }

    /**
     * What came of a stage.
     *
     * @param kept how many candidates it passed on
     * @param dropped how many it dropped, by why
     * @param positions how many it kept, by {@linkplain Candidate#POSITION position}; empty before there are positions
     * @param notes what else it found, by name
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Counts(
            long kept, Map<String, Long> dropped, Map<String, Long> positions, SequencedMap<String, Object> notes) {
        /** Refuses counts without a number, as a broken file may have them. */
        public Counts {
            if (Stream.of(dropped, positions)
                    .flatMap(counts -> counts.values().stream())
                    .anyMatch(Objects::isNull)) {
                throw new IllegalArgumentException("each count is a number");
            }
        }

        /** How many it dropped in all. */
        long allDropped() {
            return sum(dropped);
        }

        /** How many it kept that have no position yet. */
        long unplaced() {
            return kept - sum(positions);
        }

        private static long sum(Map<String, Long> counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
