package io.posbias.model.inside;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Hyperparameters of a training, from {@code configs/training/NAME.yaml} or the user's file. The worker is sent all of them.
 *
 * @param batch pairs per step
 * @param epochs passes over all pairs
 * @param steps maximum number of steps; 0 for no maximum
 * @param lengthEdges lengths of passages in characters at which the second length bin and further ones begin, ascending; a batch is of
 *     one bin
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
        @Setting(usual = "[]", least = 0) List<Integer> lengthEdges,
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
    public TrainingSettings {
        if (!lengthEdges.equals(lengthEdges.stream().distinct().sorted().toList())) {
            throw new Setting.Wrong("length-edges", "is " + lengthEdges, "lengths ascend");
        }
    }

    /**
     * Reads the settings of an order.
     *
     * @throws UsageException if a changed value is invalid
     */
    public static TrainingSettings of(TrainingOrder order) {
        return order.read(fields -> Json.settings(fields, TrainingSettings.class));
    }

    /** Returns the number of pairs in each length bin. */
    List<Integer> bins(List<Pair> pairs) {
        int[] bins = new int[lengthEdges.size() + 1];
        for (Pair pair : pairs) {
            String text = pair.passage().text();
            int length = text.codePointCount(0, text.length());
            bins[(int) lengthEdges.stream().filter(edge -> edge <= length).count()]++;
        }
        return IntStream.of(bins).boxed().toList();
    }

    /**
     * Returns the number of steps for the pairs of each length bin. The last batch of a bin may be smaller.
     *
     * @throws UsageException if the only step would have the learning rate 0, with which a warm-up begins
     */
    int steps(List<Integer> bins) {
        long all = epochs
                * bins.stream().mapToLong(pairs -> Math.ceilDiv(pairs, batch)).sum();
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
