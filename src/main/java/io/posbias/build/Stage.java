package io.posbias.build;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * One step of a pipeline. It is given the candidates that the stage before kept and passes each on, or drops it and says
 * why. A record whose components are its settings, as {@link io.posbias.Json#settings} reads them. What it does depends on its settings, the candidates and the seed alone, never on time or threads.
 */
public interface Stage {
    /** Fields of {@link Candidate} that candidates must have when they come here. */
    default Set<String> requiredFields() {
        return Set.of();
    }

    /** Fields of {@link Candidate} that those which it keeps have besides. */
    default Set<String> producedFields() {
        return Set.of();
    }

    /**
     * What its outcome depends on besides settings and candidates, such as digests of prompts and fingerprints of models:
     * a finished stage is used again only while these are the same.
     */
    default Object inputs(PipelineContext context) {
        return "";
    }

    /** The folder that it writes besides its candidates, in that of the results; empty for stages that write none. */
    default Optional<String> folder() {
        return Optional.empty();
    }

    /**
     * Tells later stages what they must know besides the candidates, once it is finished, now or in an earlier run.
     *
     * @param file that it wrote
     */
    default void finished(Path file, PipelineContext context) {}

    /** What it would take to run it, and what would come out, before anything is spent. */
    default Forecast forecast(Forecast before, PipelineContext context) {
        return Forecast.of(before.candidates());
    }

    /** Does the work. */
    void run(Candidates candidates, StageSink out, PipelineContext context);
}
