package io.posbias.build;

import io.posbias.encode.CallEstimate;

/**
 * What a stage is expected to take and to pass on.
 *
 * @param candidates how many come out
 * @param calls of language models and other services
 * @param pairs of question and text that rerankers score
 */
public record Forecast(double candidates, CallEstimate calls, double pairs) {
    /** Candidates that cost nothing. */
    public static Forecast of(double candidates) {
        return new Forecast(candidates, CallEstimate.NONE, 0);
    }
}
