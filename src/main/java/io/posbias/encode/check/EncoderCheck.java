package io.posbias.encode.check;

import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.Role;
import io.posbias.encode.TextEncoder;
import io.posbias.encode.model.DenseEncoder;
import io.posbias.encode.onnx.OnnxModel;
import io.posbias.encode.onnx.TextRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Looks whether a loaded encoder does what its recipe says: eight built-in texts go through it alone, together, padded on
 * either side, and with their first or last token exchanged. A graph that was exported causal without a word and is pooled
 * at its first token, one that ignores its attention mask, one that cuts its input: all of them give vectors, and only
 * such a comparison shows that they are wrong.
 */
public final class EncoderCheck {
    private final DenseEncoder encoder;
    private final CheckReport findings;

    private EncoderCheck(DenseEncoder encoder, Engine engine) {
        this.encoder = encoder;
        this.findings = CheckReport.of(encoder, engine);
    }

    /** Checks a graph; with an encoder of their own for queries, that one too. */
    public static ModelCheck of(DenseEncoder encoder, Engine engine) {
        EncoderCheck check = new EncoderCheck(encoder, engine);
        check.rows(Role.PASSAGE, "");
        OnnxModel queries = encoder.model(Role.QUERY);
        if (queries != encoder.model(Role.PASSAGE)) {
            check.findings.graph("query ", queries, encoder.output(Role.QUERY));
            check.rows(Role.QUERY, "query ");
        }
        return check.findings.done();
    }

    /** Asks a service once, with two short texts, and looks at what comes. */
    public static ModelCheck ofService(TextEncoder encoder) {
        CheckReport findings = new CheckReport(Scale.VECTORS);
        List<TextEncoder.Encoded> all = Collections.synchronizedList(new ArrayList<>());
        long start = System.nanoTime();
        encoder.prepare(CheckTexts.ALL.subList(0, 2), Role.PASSAGE).run(all::addAll);
        long nanos = System.nanoTime() - start;
        findings.fact("dimension", String.valueOf(encoder.dimension()));
        findings.answer(nanos, encoder.effort());
        float[] first = all.getFirst().vectors();
        if (Arrays.equals(first, all.getLast().vectors())) {
            findings.warn("the service gives two different texts the same vector");
        }
        if (Float.isNaN(first[0])) {
            findings.warn("the service gives vectors that hold no numbers");
        }
        return findings.done();
    }

    private void rows(Role role, String prefix) {
        TextRows maker = encoder.rows(role);
        List<RowCheck.Text> texts = CheckTexts.ALL.stream()
                .map(text -> RowCheck.Text.of(maker.row(text), maker))
                .filter(text -> text.size() > 0)
                .toList();
        if (!RowCheck.canExchange(texts)) {
            findings.warn(prefix + CheckTexts.ONE_TOKEN);
            return;
        }
        RowCheck check = new RowCheck(texts, (rows, left) -> encoder.vectors(rows, role, left));
        findings.sameness(prefix, check, RowCheck::cosineDistance, encoder.padsLeft(), encoder.runsAlone());
        RowCheck.Change change = (before, after, place) -> RowCheck.cosineDistance(before, after);
        boolean first = findings.isUnchanged(prefix + "first token", "", check, RowCheck.Text::first, change);
        boolean last = findings.isUnchanged(prefix + "last token", "", check, RowCheck.Text::last, change);
        if (first) {
            findings.warn(
                    prefix + "vectors stay the same whatever the first token is: input is lost at the beginning, or"
                            + " the graph is causal and the pooling does not fit it");
        }
        if (last) {
            findings.warn(prefix + "vectors stay the same whatever the last token is: input is lost at the end, or the"
                    + " graph is causal and pooled at its first token");
        }
    }
}
