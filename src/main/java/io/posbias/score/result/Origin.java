package io.posbias.score.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.data.dataset.Dataset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Model and data of a diagnosis result: the first fields of its file.
 *
 * @param recipeSha256 digest of all that the model's scores depend on
 * @param itemsSha256 digest of the scored items; null without a list of items
 * @param datasetSha256 digests of the benchmark's files, by name
 * @param pooled queries per benchmark if several are pooled; else empty
 * @param confidence of all intervals, between 0 and 1
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Origin(
        String schema,
        String model,
        String recipeSha256,
        @Nullable String itemsSha256,
        String dataset,
        Map<String, String> datasetSha256,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Integer> pooled,
        double confidence) {
    /** Schema of diagnoses of one benchmark. */
    public static final String SCHEMA = "posbias/diagnose-result/2";

    /**
     * @param pooled as {@link io.posbias.data.dataset.DatasetPool#counts} returns it
     */
    public static Origin of(
            EvaluatedModel model,
            @Nullable String itemsSha256,
            Dataset dataset,
            Map<String, Integer> pooled,
            double confidence) {
        return new Origin(
                SCHEMA,
                model.name(),
                model.sha256(),
                itemsSha256,
                dataset.name(),
                dataset.checksums(),
                pooled,
                confidence);
    }
}
