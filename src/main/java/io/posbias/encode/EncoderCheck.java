package io.posbias.encode;

import ai.onnxruntime.TensorInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Looks whether a loaded encoder does what its recipe says: eight built-in texts go through it alone, together, padded on
 * either side, and with their first or last token exchanged. A graph that was exported causal without a word and is pooled
 * at its first token, one that ignores its attention mask, one that cuts its input: all of them give vectors, and only
 * such a comparison shows that they are wrong.
 */
public final class EncoderCheck {
    /** Vectors further apart than this, as 1 - cosine, are not the same. */
    static final double SAME = 1e-4;

    /** Vectors closer than this, as 1 - cosine, did not change: rounding alone stays far below. */
    static final double UNCHANGED = 1e-9;

    private static final long LEAST_NANOS = 500_000_000;

    private final List<ModelCheck.Fact> facts = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private EncoderCheck() {}

    /** Checks a graph; with an encoder of their own for queries, that one too. */
    public static ModelCheck of(DenseEncoder encoder, Engine engine) {
        EncoderCheck check = new EncoderCheck();
        check.fact("device", encoder.device().toString());
        check.fact("dimension", String.valueOf(encoder.dimension()));
        check.graph(encoder, Role.PASSAGE, "");
        check.speed(encoder, engine);
        check.rows(encoder, Role.PASSAGE, "");
        if (encoder.model(Role.QUERY) != encoder.model(Role.PASSAGE)) {
            check.graph(encoder, Role.QUERY, "query ");
            check.rows(encoder, Role.QUERY, "query ");
        }
        return new ModelCheck(check.facts, check.warnings);
    }

    /** Asks a service once, with two short texts, and looks at what comes. */
    public static ModelCheck ofService(TextEncoder encoder) {
        EncoderCheck check = new EncoderCheck();
        List<TextEncoder.Encoded> all = Collections.synchronizedList(new ArrayList<>());
        long start = System.nanoTime();
        encoder.prepare(CheckTexts.ALL.subList(0, 2), Role.PASSAGE).run(all::addAll);
        check.fact("dimension", String.valueOf(encoder.dimension()));
        check.fact("answer", number((System.nanoTime() - start) / 1e9) + " s for 2 texts");
        encoder.effort().forEach((name, value) -> check.fact(name.replace('_', ' '), String.valueOf(value)));
        float[] first = all.getFirst().vectors();
        if (Arrays.equals(first, all.getLast().vectors())) {
            check.warnings.add("the service gives two different texts the same vector");
        }
        if (Float.isNaN(first[0])) {
            check.warnings.add("the service gives vectors that hold no numbers");
        }
        return new ModelCheck(check.facts, check.warnings);
    }

    private void fact(String name, String value) {
        facts.add(new ModelCheck.Fact(name, value));
    }

    private void graph(DenseEncoder encoder, Role role, String prefix) {
        OnnxModel model = encoder.model(role);
        model.inputs().forEach((name, info) -> fact(prefix + "input", name + " " + shape(info)));
        String read = encoder.output(model);
        for (Map.Entry<String, TensorInfo> output : model.outputs().entrySet()) {
            fact(
                    prefix + "output",
                    output.getKey() + " " + shape(output.getValue())
                            + (output.getKey().equals(read) ? ", read" : ", not read"));
        }
    }

    /** Sizes that are known when it runs stand under the names that the graph gives them. */
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

    /** As a corpus would be encoded, but with batches of one: no two of the texts are of a length. */
    private void speed(DenseEncoder encoder, Engine engine) {
        TextRows maker = encoder.rows(Role.PASSAGE);
        int tokens =
                CheckTexts.ALL.stream().mapToInt(text -> maker.row(text).size()).sum();
        // The first round makes the memory that later ones use again.
        encoder.prepare(CheckTexts.ALL, Role.PASSAGE).run(batch -> {});
        long start = System.nanoTime();
        long nanos = 0;
        int rounds = 0;
        while (nanos < LEAST_NANOS) {
            encoder.prepare(CheckTexts.ALL, Role.PASSAGE).run(batch -> {});
            rounds++;
            nanos = System.nanoTime() - start;
        }
        double seconds = nanos / 1e9;
        fact(
                "speed",
                number(rounds * CheckTexts.ALL.size() / seconds) + " texts/s, " + number(rounds * tokens / seconds)
                        + " tokens/s (" + CheckTexts.ALL.size() + " texts of " + tokens + " tokens in all, "
                        + engine.threads() + (engine.threads() == 1 ? " thread)" : " threads)"));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
    }

    private void rows(DenseEncoder encoder, Role role, String prefix) {
        TextRows maker = encoder.rows(role);
        Template template = maker.template();
        List<RowCheck.Text> texts = CheckTexts.ALL.stream()
                .map(maker::row)
                .map(row -> new RowCheck.Text(
                        row, Math.max(template.before().length, row.prompt()), row.size() - template.after().length))
                .filter(text -> text.size() > 0)
                .toList();
        if (!RowCheck.canExchange(texts)) {
            warnings.add(prefix + "tokenizer: eight plain texts become the same token over and over");
            return;
        }
        RowCheck.Distances found = new RowCheck(
                        texts,
                        (rows, left) -> encoder.vectors(encoder.model(role), rows, encoder.padding(left)),
                        RowCheck::cosineDistance)
                .measure();
        boolean left = encoder.padsLeft();
        fact(prefix + "padding side", side(left));
        fact(
                prefix + "alone or not",
                distance(found.company()) + " between a text alone and among texts of its length");
        fact(prefix + "padded " + side(left), padded(found, left));
        fact(
                prefix + "padded " + side(!left),
                padded(found, !left) + (found.padded(!left) > SAME ? ", which the recipe does not do" : ""));
        fact(prefix + "first token", distance(found.first()) + " at least when another one stands there");
        fact(prefix + "last token", distance(found.last()) + " at least when another one stands there");
        judge(prefix, found, left);
    }

    private static String padded(RowCheck.Distances found, boolean left) {
        return distance(found.padded(left)) + " between a text alone and in a padded batch";
    }

    private static String side(boolean left) {
        return left ? "left" : "right";
    }

    private static String distance(double cosine) {
        return cosine < UNCHANGED ? "0" : String.format(Locale.ROOT, "%.1e", cosine);
    }

    private void judge(String prefix, RowCheck.Distances found, boolean left) {
        if (found.company() > SAME) {
            warnings.add(prefix + "vectors depend on the other texts of a batch (1 - cosine up to "
                    + distance(found.company()) + " with no padding at all)");
        }
        if (found.padded(left) > SAME && found.company() <= SAME) {
            warnings.add(
                    prefix + "vectors change with padding on the " + side(left) + ", the recipe's side (1 - cosine up"
                            + " to " + distance(found.padded(left)) + "): "
                            + (found.padded(!left) > SAME
                                    ? "the graph does not heed its attention mask"
                                    : "say 'padding-side: " + side(!left) + "'"));
        }
        if (found.first() < UNCHANGED) {
            warnings.add(
                    prefix + "vectors stay the same whatever the first token is: input is lost at the beginning, or"
                            + " the graph is causal and the pooling does not fit it");
        }
        if (found.last() < UNCHANGED) {
            warnings.add(prefix + "vectors stay the same whatever the last token is: input is lost at the end, or the"
                    + " graph is causal and pooled at its first token");
        }
    }
}
