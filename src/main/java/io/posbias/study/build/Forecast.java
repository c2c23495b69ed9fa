package io.posbias.study.build;

import io.posbias.model.encode.CallEstimate;

/**
 * Expected outcome and cost of a stage.
 *
 * @param candidates kept
 * @param pairs of question and text for rerankers
 */
public record Forecast(double candidates, CallEstimate calls, double pairs) {
    public static Forecast of(double candidates) {
        return new Forecast(candidates, CallEstimate.NONE, 0);
    }
}
