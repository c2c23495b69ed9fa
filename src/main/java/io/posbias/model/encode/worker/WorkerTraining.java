package io.posbias.model.encode.worker;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A training in a worker, one step after another. */
public final class WorkerTraining {
    private final Worker worker;
    private final Counts counts;

    /**
     * What a worker is told of a training.
     *
     * @param pairs file with a JSON object for each pair
     * @param settings as JSON
     * @param steps in all
     * @param warmUpSteps steps with a rising learning rate
     */
    public record Plan(Path pairs, Object settings, int steps, int warmUpSteps) {}

    /**
     * Tokens of all pairs as they are read, with special ones.
     *
     * @param truncated passages that are cut; null if the model's tokenizer does not say
     * @param evidenceCut those of them with evidence behind the cut; null likewise
     */
    public record Counts(
            long passageTokens,
            long queryTokens,
            @Nullable Integer truncated,
            @Nullable Integer evidenceCut) {}

    /**
     * A step.
     *
     * @param loss in nats
     * @param tokens of the batch
     */
    public record Step(double loss, long tokens) {}

    WorkerTraining(Worker worker, Plan plan, int done, @Nullable Path checkpoint) {
        this.worker = worker;
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("do", "train");
        header.put("pairs", plan.pairs.toString());
        header.put("settings", plan.settings);
        header.put("steps", plan.steps);
        header.put("warm_up_steps", plan.warmUpSteps);
        header.put("done", done);
        Optional.ofNullable(checkpoint).ifPresent(folder -> header.put("checkpoint", folder.toString()));
        JsonNode said = worker.ask(header).header();
        this.counts = new Counts(
                whole(said, "passage_tokens"),
                whole(said, "query_tokens"),
                said.has("truncated") ? (Integer) Math.toIntExact(whole(said, "truncated")) : null,
                said.has("evidence_cut") ? (Integer) Math.toIntExact(whole(said, "evidence_cut")) : null);
    }

    public Counts counts() {
        return counts;
    }

    /**
     * Trains a step.
     *
     * @param number from 1
     * @throws io.posbias.base.process.PosbiasException if the loss or the gradient is not finite
     */
    public Step step(int number) {
        JsonNode said = worker.ask(Map.of("do", "step", "step", number)).header();
        double loss = said.path("loss").asDouble(Double.NaN);
        if (!Double.isFinite(loss)) {
            throw worker.failed("its answer has no loss");
        }
        return new Step(loss, whole(said, "tokens"));
    }

    /** Writes weights and the optimiser's state to a folder; another step follows. */
    public void keep(Path folder) {
        worker.ask(Map.of("do", "keep", "folder", folder.toString()));
    }

    /** Writes the model to a folder, behind the last step. */
    public void save(Path folder) {
        worker.ask(Map.of("do", "save", "folder", folder.toString()));
    }

    private long whole(JsonNode said, String field) {
        long number = Frame.whole(said.path(field), -1);
        if (number < 0) {
            throw worker.failed("its answer has no number \"" + field + "\"");
        }
        return number;
    }
}
