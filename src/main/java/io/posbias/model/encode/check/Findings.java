package io.posbias.model.encode.check;

import ai.onnxruntime.TensorInfo;
import io.posbias.base.text.Plural;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.ModelCheck.Outcome;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Findings of a check, with the properties that models of all kinds have. */
final class Findings {
    private static final double LEAST_SECONDS = 0.5;

    private final List<ModelCheck.Fact> facts = new ArrayList<>();

    ModelCheck done() {
        return new ModelCheck(facts);
    }

    boolean isSound() {
        return done().failures().isEmpty();
    }

    void fact(String name, String value) {
        add(Outcome.INFO, name, value);
    }

    void device(Device device) {
        fact("device", device.toString());
        if (device.isCuda()) {
            fact("library", OnnxRuntime.cudaLibrary().toString());
        }
    }

    void ok(String name, String value) {
        add(Outcome.OK, name, value);
    }

    void fail(String name, String sentence) {
        add(Outcome.FAIL, name, sentence);
    }

    void add(Outcome outcome, String name, String value) {
        facts.add(new ModelCheck.Fact(outcome, name, value));
    }

    /** Reports a graph's inputs and outputs with their shapes. */
    void graph(String prefix, OnnxModel model, String read) {
        model.inputs().forEach((name, info) -> fact(prefix + "input", name + " " + shape(info)));
        model.outputs()
                .forEach((name, info) -> fact(
                        prefix + "output", name + " " + shape(info) + (name.equals(read) ? ", read" : ", not read")));
    }

    /** Sizes that are only known at run time have the graph's names. */
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

    /**
     * Reports rows per second. Batches have one row, as no two rows have the same length.
     *
     * @param round runs all rows once
     */
    void speed(List<TokenRow> rows, String unit, Engine engine, Runnable round) {
        int tokens = rows.stream().mapToInt(TokenRow::size).sum();
        // The first round allocates the memory of later ones.
        round.run();
        double seconds = 0;
        int rounds = 0;
        while (seconds < LEAST_SECONDS) {
            seconds += engine.session()
                    .time(() -> {
                        round.run();
                        return round;
                    })
                    .seconds();
            rounds++;
        }
        fact(
                "speed",
                number(rounds * rows.size() / seconds) + " " + unit + "/s, " + number(rounds * tokens / seconds)
                        + " tokens/s (" + rows.size() + " " + unit + " of " + tokens + " tokens in all, "
                        + Plural.of(engine.threads(), "thread") + ")");
    }

    /** Reports how long a service took for two texts, and the usage it counted. */
    void answer(long nanos, Map<String, Number> usage) {
        fact("answer", number(nanos / 1e9) + " s for 2 texts");
        usage.forEach((name, value) -> fact(name.replace('_', ' '), String.valueOf(value)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
    }
}
