package io.posbias.score.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.data.dataset.DataOrigin;
import org.jspecify.annotations.Nullable;

/**
 * Model and data of a diagnosis result: the first fields of its file.
 *
 * @param recipeSha256 digest of all that the model's scores depend on
 * @param itemsSha256 digest of the scored items; null without a list of items
 * @param confidence of all intervals, between 0 and 1
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Origin(
        String schema,
        String model,
        String recipeSha256,
        @Nullable String itemsSha256,
        @JsonUnwrapped DataOrigin data,
        double confidence) {
    /** Schema of diagnoses of one benchmark. */
    public static final String SCHEMA = "posbias/diagnose-result/2";

    public static Origin of(EvaluatedModel model, @Nullable String itemsSha256, DataOrigin data, double confidence) {
        return new Origin(SCHEMA, model.name(), model.sha256(), itemsSha256, data, confidence);
    }
}
