package io.posbias.model.encode.check;

import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.check.RowCheck.CheckedText;
import io.posbias.model.encode.check.RowCheck.Part;
import io.posbias.model.encode.model.GraphEncoder;
import io.posbias.model.encode.onnx.OnnxModel;
import io.posbias.model.encode.onnx.TextRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Check of an encoder against its recipe. Eight built-in texts go through it alone, together, padded on either side, and with
 * their first or last token exchanged. A causal graph pooled at its first token, a graph that ignores its attention mask and
 * one that cuts its input all give vectors; only this comparison shows that they are wrong.
 */
public final class EncoderCheck {
    private EncoderCheck() {}

    /** Checks a graph and, if it has one, the graph for queries. */
    public static ModelCheck of(GraphEncoder encoder, Engine engine) {
        Findings findings = graph(encoder, engine);
        check(encoder, Role.PASSAGE, "", findings);
        OnnxModel queries = encoder.model(Role.QUERY);
        if (queries != encoder.model(Role.PASSAGE)) {
            findings.graph("query ", queries, encoder.output(Role.QUERY));
            check(encoder, Role.QUERY, "query ", findings);
        }
        return findings.done();
    }

    /**
     * Calls a service or another encoder without a graph once, with two short texts.
     *
     * @param width numbers of a vector
     */
    public static ModelCheck ofService(TextEncoder encoder, int width) {
        Findings findings = new Findings();
        List<TextEncoder.Encoded> all = Collections.synchronizedList(new ArrayList<>());
        long start = System.nanoTime();
        encoder.prepare(CheckTexts.ALL.subList(0, 2), Role.PASSAGE).run(all::addAll);
        long nanos = System.nanoTime() - start;
        findings.fact("dimension", String.valueOf(width));
        findings.answer(nanos, encoder.usage());
        float[] first = all.getFirst().vectors();
        if (Float.isNaN(first[0])) {
            findings.fail("vectors", "the vectors are not numbers");
        } else if (Arrays.equals(first, all.getLast().vectors())) {
            findings.fail("vectors", "two different texts have the same vector");
        } else {
            findings.ok("vectors", "two different texts have different vectors");
        }
        return findings.done();
    }

    static Findings graph(GraphEncoder encoder, Engine engine) {
        Findings findings = new Findings();
        findings.device(encoder.device());
        findings.fact("dimension", String.valueOf(encoder.width()));
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

    /** Compares rows alone, together and padded; returns null if tokens cannot be exchanged. */
    static @Nullable RowCheck rows(GraphEncoder encoder, Role role, String prefix, Findings findings) {
        TextRows maker = encoder.rows(role);
        List<CheckedText> texts = CheckTexts.ALL.stream()
                // The text's own tokens; the encoder may add mask tokens.
                .map(text -> CheckedText.of(maker.row(text), maker).in(encoder.row(text, role)))
                .filter(text -> text.size() > 0)
                .toList();
        if (!RowCheck.canExchange(texts)) {
            findings.fail(prefix + "tokenizer", prefix + CheckTexts.ONE_TOKEN);
            return null;
        }
        RowCheck.Scale scale = RowCheck.Scale.ofVectors(encoder.width());
        RowCheck check =
                new RowCheck(texts, (rows, left) -> encoder.vectors(rows, role, left), scale, prefix, findings);
        check.sameness(encoder.padsLeft(), encoder.runsAlone());
        return check;
    }

    private static void check(GraphEncoder encoder, Role role, String prefix, Findings findings) {
        RowCheck check = rows(encoder, role, prefix, findings);
        if (check == null) {
            return;
        }
        if (check.isUnchanged("first token", CheckedText::first, Part.ALL)) {
            findings.fail(
                    prefix + "first token",
                    prefix + "vectors stay the same whatever the first token is: input is lost at the beginning, or"
                            + " the graph is causal and the pooling does not fit it");
        }
        if (check.isUnchanged("last token", CheckedText::last, Part.ALL)) {
            findings.fail(
                    prefix + "last token",
                    prefix + "vectors stay the same whatever the last token is: input is lost at the end, or the"
                            + " graph is causal and pooled at its first token");
        }
    }
}
