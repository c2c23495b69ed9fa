package io.posbias.study.build;

import io.posbias.model.encode.CallEstimate;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A step of a pipeline: keeps or drops each candidate with a reason. A record whose components are its settings (see
 * {@link io.posbias.base.json.Json#settings}). Its outcome depends only on settings, candidates and seed, never on time or
 * threads.
 */
public interface Stage {
    /**
     * Expected outcome and cost.
     *
     * @param candidates kept
     * @param pairs of question and text for rerankers
     */
    record Forecast(double candidates, CallEstimate calls, double pairs) {
        public static Forecast of(double candidates) {
            return ofPairs(candidates, 0);
        }

        static Forecast ofPairs(double candidates, double pairs) {
            return new Forecast(candidates, CallEstimate.NONE, pairs);
        }
    }

    /** Fields of {@link Candidate} that incoming candidates must have. */
    default Set<String> requiredFields() {
        return Set.of();
    }

    /** Fields of {@link Candidate} that this stage adds to kept candidates. */
    default Set<String> producedFields() {
        return Set.of();
    }

    /**
     * Returns other dependencies of the outcome, for example digests of prompts and fingerprints of models. A
     * finished stage is reused only while these are equal.
     */
    default Object inputs(StageContext context) {
        return "";
    }

    /** Returns the output folder besides the candidates, relative to the results; empty for stages without one. */
    default Optional<String> folder() {
        return Optional.empty();
    }

    /** Updates the context for later stages, after this run or an earlier one finished the stage. */
    default void finished(Path file, StageContext context) {}

    /** Estimates outcome and cost before anything is spent. */
    default Forecast forecast(Forecast before, StageContext context) {
        return Forecast.of(before.candidates());
    }

    void run(Candidates candidates, Candidates.Sink out, StageContext context);
}
