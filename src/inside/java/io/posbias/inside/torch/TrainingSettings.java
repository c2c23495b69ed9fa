package io.posbias.inside.torch;

import io.posbias.BadInputException;
import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.UsageException;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * How a model is trained: {@code configs/training/NAME.yaml}, or the user's own file.
 *
 * @param batch pairs of a step
 * @param epochs how often all pairs are seen
 * @param steps where training ends before the epochs do; 0 for where they end
 * @param learningRate the highest
 * @param warmUp the share of all steps in which the rate rises to it
 * @param scale what cosines are multiplied by
 * @param seed of the order of pairs
 * @param maxTokens tokens of a passage, special ones and prompt included; 0 for as many as the recipe says
 * @param queryTokens the same for a query
 * @param checkpoint after how many steps one is written
 * @param limits of micro-batches and gradients
 * @param fields the record itself
 */
public record TrainingSettings(
        int batch,
        int epochs,
        int steps,
        double learningRate,
        double warmUp,
        double scale,
        int seed,
        int maxTokens,
        int queryTokens,
        int checkpoint,
        Trainee.Limits limits,
        Fields fields) {
    private static final String FOLDER = "configs/training";
    private static final List<String> FIELDS = List.of(
            "name",
            "batch",
            "epochs",
            "steps",
            "learning-rate",
            "warm-up",
            "weight-decay",
            "clip",
            "scale",
            "seed",
            "max-tokens",
            "query-tokens",
            "micro-batch",
            "kept-tokens",
            "checkpoint");

    /** The settings that come with posbias. */
    public static List<String> names() {
        return Configs.names(FOLDER);
    }

    /**
     * Reads settings.
     *
     * @param nameOrFile one of {@link #names}, or the path of a YAML file
     * @param changes values of single settings
     * @throws UsageException if what is wrong comes of changes
     */
    public static TrainingSettings find(String nameOrFile, Map<String, Object> changes) {
        Fields read = Configs.find("settings", FOLDER, nameOrFile, "posbias help train");
        TrainingSettings own = of(read);
        SequencedMap<String, @Nullable Object> changed = read.toMap();
        changed.putAll(changes);
        try {
            return changes.isEmpty() ? own : of(new Fields(read.where(), changed));
        } catch (BadInputException wrong) {
            throw new UsageException("--set: " + wrong.problem());
        }
    }

    private static TrainingSettings of(Fields fields) {
        fields.refuseOthers(FIELDS);
        return new TrainingSettings(
                atLeast(2, "batch", fields),
                fields.positive("epochs"),
                atLeast(0, "steps", fields),
                above0("learning-rate", fields),
                share("warm-up", fields),
                above0("scale", fields),
                fields.integer("seed"),
                atLeast(0, "max-tokens", fields),
                atLeast(0, "query-tokens", fields),
                fields.positive("checkpoint"),
                new Trainee.Limits(
                        fields.positive("micro-batch"),
                        atLeast(0, "kept-tokens", fields),
                        share("weight-decay", fields),
                        notNegative("clip", fields)),
                fields);
    }

    private static int atLeast(int least, String name, Fields fields) {
        int value = fields.integer(name, 0);
        if (value < least) {
            throw fields.bad(name, "is " + value, "it must be " + least + " or more");
        }
        return value;
    }

    private static double above0(String name, Fields fields) {
        double value = fields.number(name);
        if (value <= 0) {
            throw fields.bad(name, "is " + value, "it must be above 0");
        }
        return value;
    }

    private static double notNegative(String name, Fields fields) {
        double value = fields.number(name);
        if (value < 0) {
            throw fields.bad(name, "is " + value, "it must be 0 or more");
        }
        return value;
    }

    private static double share(String name, Fields fields) {
        double value = notNegative(name, fields);
        if (value >= 1) {
            throw fields.bad(name, "is " + value, "it must be below 1");
        }
        return value;
    }

    /** How many steps there are with so many pairs; the last of an epoch may have fewer than others. */
    public int steps(int pairs) {
        long all = (long) epochs * stepsOfEpoch(pairs);
        return Math.toIntExact(steps > 0 ? Math.min(steps, all) : Math.min(all, Integer.MAX_VALUE));
    }

    int stepsOfEpoch(int pairs) {
        return Math.ceilDiv(pairs, batch);
    }

    /**
     * The rate of a step: it rises in a line over the first steps, then falls in a line to 0 behind the last.
     *
     * @param step from 0
     * @param all how many there are
     */
    double rate(int step, int all) {
        int warm = (int) Math.ceil(warmUp * all);
        return learningRate * (step < warm ? (double) step / warm : (double) (all - step) / Math.max(1, all - warm));
    }
}
