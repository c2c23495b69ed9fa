package io.posbias.encode.check;

import ai.onnxruntime.TensorInfo;
import io.posbias.Plural;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.Role;
import io.posbias.encode.model.GraphEncoder;
import io.posbias.encode.onnx.OnnxModel;
import io.posbias.encode.onnx.TokenRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToIntFunction;

/** Collects what a check finds, and says alike of all kinds of models what they have in common. */
final class CheckReport {
    private static final double LEAST_SECONDS = 0.5;

    private final List<ModelCheck.Fact> facts = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Scale scale;

    CheckReport(Scale scale) {
        this.scale = scale;
    }

    /** What there is to say of any encoder with a graph. */
    static CheckReport of(GraphEncoder encoder, Engine engine) {
        CheckReport findings = new CheckReport(Scale.VECTORS);
        findings.fact("device", encoder.device().toString());
        findings.fact("dimension", String.valueOf(encoder.dimension()));
        findings.graph("", encoder.model(Role.PASSAGE), encoder.output(Role.PASSAGE));
        findings.speed(
                CheckTexts.ALL.stream()
                        .map(text -> encoder.row(text, Role.PASSAGE))
                        .toList(),
                "texts",
                engine,
                () -> encoder.prepare(CheckTexts.ALL, Role.PASSAGE).run(batch -> {}));
        return findings;
    }

    ModelCheck done() {
        return new ModelCheck(facts, warnings);
    }

    boolean isSound() {
        return warnings.isEmpty();
    }

    void fact(String name, String value) {
        facts.add(new ModelCheck.Fact(name, value));
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    /** A graph's inputs and outputs with their shapes. */
    void graph(String prefix, OnnxModel model, String read) {
        model.inputs().forEach((name, info) -> fact(prefix + "input", name + " " + shape(info)));
        model.outputs()
                .forEach((name, info) -> fact(
                        prefix + "output", name + " " + shape(info) + (name.equals(read) ? ", read" : ", not read")));
    }

    /** Sizes that are known when it runs are under the names that the graph gives them. */
    private static String shape(TensorInfo info) {
        long[] sizes = info.getShape();
        String[] names = info.getDimensionNames();
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            String name = names == null || names[i].isEmpty() ? "?" : names[i];
            shown.add(sizes[i] < 0 ? name : String.valueOf(sizes[i]));
        }
        return shown + " " + info.type.name().toLowerCase(Locale.ROOT);
    }

    /** Rows a second of texts or pairs: as an evaluation runs them, but in batches of one, as no two are of a length. */
    void speed(List<TokenRow> rows, String unit, Engine engine, Runnable round) {
        int tokens = rows.stream().mapToInt(TokenRow::size).sum();
        // The first round makes the memory that later ones use again.
        round.run();
        double seconds = 0;
        int rounds = 0;
        while (seconds < LEAST_SECONDS) {
            seconds += engine.session().seconds(round);
            rounds++;
        }
        fact(
                "speed",
                number(rounds * rows.size() / seconds) + " " + unit + "/s, " + number(rounds * tokens / seconds)
                        + " tokens/s (" + rows.size() + " " + unit + " of " + tokens + " tokens in all, "
                        + Plural.of(engine.threads(), "thread") + ")");
    }

    /** How long a service took for two texts, and what it counted. */
    void answer(long nanos, Map<String, Number> effort) {
        fact("answer", number(nanos / 1e9) + " s for 2 texts");
        effort.forEach((name, value) -> fact(name.replace('_', ' '), String.valueOf(value)));
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
    }

    /**
     * Whether answers stay the same in a batch and padded, with warnings where they do not.
     *
     * @param left whether that is the recipe's side
     * @param alone whether the graph gets no batches when it counts, so that there is nothing to warn of
     */
    void sameness(
            String prefix, RowCheck check, ToDoubleBiFunction<float[], float[]> distance, boolean left, boolean alone) {
        RowCheck.Sameness found = check.sameness(distance);
        fact(prefix + "padding side", side(left));
        fact(
                prefix + "alone or not",
                scale.show(found.company()) + " between a " + scale.one() + " alone and among " + scale.one()
                        + "s of its length" + (alone ? "; an int8 graph gets each alone" : ""));
        OptionalInt length = check.oneLength();
        if (length.isPresent()) {
            fact(prefix + "padded", "never, as all rows are of " + length.getAsInt() + " tokens");
        } else {
            fact(prefix + "padded " + side(left), padded(found, left));
            fact(
                    prefix + "padded " + side(!left),
                    padded(found, !left)
                            + (found.padded(!left) > scale.same() ? ", which the recipe does not do" : ""));
        }
        if (!alone) {
            judge(prefix, found, left);
        }
    }

    private String padded(RowCheck.Sameness found, boolean left) {
        return scale.show(found.padded(left)) + " between a " + scale.one() + " alone and in a padded batch";
    }

    private static String side(boolean left) {
        return left ? "left" : "right";
    }

    private void judge(String prefix, RowCheck.Sameness found, boolean left) {
        if (found.company() > scale.same()) {
            warn(prefix + scale.what() + " depend on the other " + scale.one() + "s of a batch (" + scale.measure()
                    + " up to " + scale.show(found.company()) + " with no padding at all)");
        }
        if (found.padded(left) > scale.same() && found.company() <= scale.same()) {
            warn(prefix + scale.what() + " change with padding on the " + side(left) + ", the recipe's side ("
                    + scale.measure() + " up to " + scale.show(found.padded(left)) + "): "
                    + (found.padded(!left) > scale.same()
                            ? "the graph does not heed its attention mask"
                            : "say 'padding-side: " + side(!left) + "'"));
        }
    }

    /**
     * Whether another token in a place changes nothing, with what it changes as a fact.
     *
     * @param where of what, such as {@code " in its own vector"}
     */
    boolean isUnchanged(
            String name, String where, RowCheck check, ToIntFunction<RowCheck.Text> place, RowCheck.Change change) {
        OptionalDouble found = check.exchanged(place, scale.unchanged(), change);
        fact(
                name,
                found.isPresent()
                        ? scale.show(found.getAsDouble()) + " at least" + where + " when another one takes its place"
                        : "not exchanged, as no " + scale.one() + " has " + RowCheck.LEAST_TOKENS + " tokens");
        return found.isPresent() && found.getAsDouble() < scale.unchanged();
    }
}
