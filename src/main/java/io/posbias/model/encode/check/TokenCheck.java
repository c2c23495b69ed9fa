package io.posbias.model.encode.check;

import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.check.RowCheck.CheckedText;
import io.posbias.model.encode.check.RowCheck.Part;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.List;

/**
 * Check of a late-interaction encoder against its recipe, as {@link EncoderCheck}, with passages and queries.
 *
 * <p>The vector of an exchanged token changes with any graph that reads it. Whether a graph looks both ways shows in the
 * vectors before the last token, and behind the first one. Vectors of skipped tokens are compared too, so that an exchange
 * never changes their number.
 */
public final class TokenCheck {
    private TokenCheck() {}

    /** Checks the graph with passages; with queries only if these show no fault, which would be reported twice. */
    public static ModelCheck of(TokenEncoder encoder, Engine engine) {
        Findings findings = EncoderCheck.graph(encoder, engine);
        check(encoder, Role.PASSAGE, "", findings);
        if (findings.isSound()) {
            check(encoder, Role.QUERY, "query ", findings);
        }
        return findings.done();
    }

    private static void check(TokenEncoder encoder, Role role, String prefix, Findings findings) {
        List<TokenRow> rows =
                CheckTexts.ALL.stream().map(text -> encoder.row(text, role)).toList();
        int all = rows.stream().mapToInt(TokenRow::size).sum();
        int kept = rows.stream().mapToInt(row -> encoder.kept(row, role).length).sum();
        findings.fact(prefix + "vectors", kept + " of " + all + " tokens take part");
        RowCheck check = EncoderCheck.rows(encoder, role, prefix, findings);
        if (check == null) {
            return;
        }
        boolean firstLost = check.isUnchanged("first token", CheckedText::first, Part.OWN);
        boolean firstUnseen = check.isUnchanged("first token", CheckedText::first, Part.BEHIND);
        boolean lastLost = check.isUnchanged("last token", CheckedText::last, Part.OWN);
        boolean lastUnseen = check.isUnchanged("last token", CheckedText::last, Part.BEFORE);
        if (firstLost) {
            findings.fail(
                    prefix + "first token",
                    prefix + "vectors: the first token's own stays the same whatever that token is: input is lost"
                            + " at the beginning");
        }
        if (lastLost) {
            findings.fail(
                    prefix + "last token",
                    prefix + "vectors: the last token's own stays the same whatever that token is: input is lost"
                            + " at the end");
        }
        if (firstLost || lastLost) {
            return;
        }
        if (firstUnseen && lastUnseen) {
            // Static vectors may be meant, and their scores are then right; but a graph that lost its attention has no
            // position bias either, and would be praised for it.
            findings.fail(
                    prefix + "context",
                    prefix + "vectors change with no other first or last token but their own: the graph gives"
                            + " words without context, which is right only where static vectors are meant");
        } else if (lastUnseen) {
            findings.fail(
                    prefix + "context",
                    prefix + "vectors before the last token stay the same whatever that token is: the graph is"
                            + " causal, or input is lost at the end");
        } else if (firstUnseen) {
            findings.fail(
                    prefix + "context",
                    prefix + "vectors behind the first token stay the same whatever that token is: the graph sees"
                            + " what follows only, or input is lost at the beginning");
        }
    }
}
