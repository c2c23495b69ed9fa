package io.posbias.model.inside.torch;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.model.inside.TrainingOrder;

/**
 * Hyperparameters of a training, from {@code configs/training/NAME.yaml} or the user's file.
 *
 * @param batch pairs per step
 * @param epochs passes over all pairs
 * @param steps maximum number of steps; 0 for no maximum
 * @param learningRate peak learning rate
 * @param warmUp share of the steps with a rising learning rate
 * @param scale factor of cosines in the loss, the inverse temperature
 * @param negatives maximum hard negatives of a pair in a step
 * @param seed of the order of pairs
 * @param maxTokens maximum length of a passage with special tokens and prompt; 0 for the recipe's
 * @param queryTokens maximum length of a query with special tokens and prompt; 0 for the recipe's
 * @param checkpoint steps between checkpoints
 * @param limits of micro-batches and gradients
 * @param fields all settings as read
 */
public record TrainingSettings(
        @Setting(usual = "''") String name,
        @Setting(least = 2) int batch,
        @Setting(least = 1) int epochs,
        @Setting(usual = "0", least = 0) int steps,
        @Setting(above = 0) double learningRate,
        @Setting(least = 0, below = 1) double warmUp,
        @Setting(above = 0) double scale,
        @Setting(usual = "1", least = 0) int negatives,
        int seed,
        @Setting(usual = "0", least = 0) int maxTokens,
        @Setting(usual = "0", least = 0) int queryTokens,
        @Setting(least = 1) int checkpoint,
        @JsonUnwrapped Trainee.Limits limits,
        Fields fields) {
    /**
     * Reads the settings of an order.
     *
     * @throws UsageException if a changed value is invalid
     */
    public static TrainingSettings of(TrainingOrder order) {
        return order.read(fields -> Json.settings(fields, TrainingSettings.class));
    }

    /** Returns the number of steps for a number of pairs. The last batch of an epoch may be smaller. */
    public int steps(int pairs) {
        long all = (long) epochs * stepsOfEpoch(pairs);
        return Math.toIntExact(steps > 0 ? Math.min(steps, all) : Math.min(all, Integer.MAX_VALUE));
    }

    int stepsOfEpoch(int pairs) {
        return Math.ceilDiv(pairs, batch);
    }

    /**
     * Returns the learning rate of a step: linear warm-up, then linear decay to 0.
     *
     * @param step from 0
     * @param all number of steps
     */
    double rate(int step, int all) {
        int warm = (int) Math.ceil(warmUp * all);
        return learningRate * (step < warm ? (double) step / warm : (double) (all - step) / Math.max(1, all - warm));
    }
}
