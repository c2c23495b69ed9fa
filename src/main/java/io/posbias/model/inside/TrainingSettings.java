package io.posbias.model.inside;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * Hyperparameters of a training, from {@code configs/training/NAME.yaml} or the user's file. The worker is sent all of them.
 *
 * @param batch pairs per step
 * @param epochs passes over all pairs
 * @param steps maximum number of steps; 0 for no maximum
 * @param learningRate peak learning rate
 * @param warmUp share of the steps with a rising learning rate
 * @param scale factor of cosines in the loss, the inverse temperature
 * @param weightDecay of matrices
 * @param clip maximum norm of the gradient; 0 for no clipping
 * @param negatives maximum hard negatives of a pair in a step
 * @param seed of the order of pairs
 * @param pooling of the trained model; null for the model's
 * @param maxTokens maximum length of a passage with special tokens and prompt; 0 for the model's
 * @param queryTokens maximum length of a query with special tokens and prompt; 0 for the model's
 * @param microBatch maximum tokens that are encoded at once; a single longer text is allowed
 * @param keptTokens maximum tokens of a batch that is encoded only once
 * @param checkpoint steps between checkpoints
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
        @Setting(least = 0, below = 1) double weightDecay,
        @Setting(least = 0) double clip,
        @Setting(usual = "1", least = 0) int negatives,
        int seed,

        @Setting(words = {"cls", "mean", "max", "last"}) @Nullable
        String pooling,

        @Setting(usual = "0", least = 0) int maxTokens,
        @Setting(usual = "0", least = 0) int queryTokens,
        @Setting(least = 1) int microBatch,
        @Setting(usual = "0", least = 0) int keptTokens,
        @Setting(least = 1) int checkpoint,
        @JsonIgnore Fields fields) {
    /**
     * Reads the settings of an order.
     *
     * @throws UsageException if a changed value is invalid
     */
    public static TrainingSettings of(TrainingOrder order) {
        return order.read(fields -> Json.settings(fields, TrainingSettings.class));
    }

    /**
     * Returns the number of steps for a number of pairs. The last batch of an epoch may be smaller.
     *
     * @throws UsageException if the only step would have the learning rate 0, with which a warm-up begins
     */
    public int steps(int pairs) {
        long all = (long) epochs * Math.ceilDiv(pairs, batch);
        int own = Math.toIntExact(steps > 0 ? Math.min(steps, all) : Math.min(all, Integer.MAX_VALUE));
        if (own == 1 && warmUp > 0) {
            throw new UsageException("a training of one step changes nothing, because the warm-up begins at the rate 0:"
                    + " give more epochs or a smaller batch, or --set warm-up=0");
        }
        return own;
    }

    /** Returns the number of steps in which the learning rate rises, of all steps. */
    int warmUpSteps(int all) {
        return (int) Math.ceil(warmUp * all);
    }
}
