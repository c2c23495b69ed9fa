package io.posbias.evaluate;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.dataset.Dataset;
import io.posbias.result.EvaluatedModel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Of what and by what a result of a diagnosis is: how its file begins.
 *
 * @param schema of the file
 * @param model the recipe's name
 * @param recipeSha256 what scores of the model depend on, as a digest
 * @param itemsSha256 of the list of items that was scored; null where there was no such list
 * @param dataset name of the benchmark
 * @param datasetSha256 digests of its files, by name
 * @param pooled how many queries are of each benchmark, where several are pooled; else empty
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
    /** The schema of diagnoses of one benchmark. */
    public static final String SCHEMA = "posbias/diagnose-result/1";

    /**
     * A result of a model on a benchmark.
     *
     * @param pooled as {@link io.posbias.dataset.DatasetPool#counts} gives it
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
