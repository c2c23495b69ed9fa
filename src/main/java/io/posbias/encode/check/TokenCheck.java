package io.posbias.encode.check;

import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.Role;
import io.posbias.encode.model.TokenEncoder;
import io.posbias.encode.onnx.TextRows;
import io.posbias.encode.onnx.TokenRow;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Looks whether a loaded late-interaction encoder does what its recipe says: eight built-in texts, as passages and as
 * queries, go through it alone, together and padded, and with their first or last token exchanged.
 *
 * <p>The vector of an exchanged token changes with any graph that reads it. Whether a graph looks both ways shows in the
 * others: in those before the last token, and in those behind the first one. All vectors of a row are compared, also those
 * of tokens that the recipe skips, so that an exchange never changes how many there are.
 */
public final class TokenCheck {
    private final TokenEncoder encoder;
    private final int dimension;
    private final CheckReport findings;

    private TokenCheck(TokenEncoder encoder, Engine engine) {
        this.encoder = encoder;
        this.dimension = encoder.dimension();
        this.findings = CheckReport.of(encoder, engine);
    }

    /** Checks the graph with passages and, when these show no fault, with queries: it would be told twice. */
    public static ModelCheck of(TokenEncoder encoder, Engine engine) {
        TokenCheck check = new TokenCheck(encoder, engine);
        check.check(Role.PASSAGE, "");
        if (check.findings.isSound()) {
            check.check(Role.QUERY, "query ");
        }
        return check.findings.done();
    }

    private void check(Role role, String prefix) {
        List<TokenRow> rows =
                CheckTexts.ALL.stream().map(text -> encoder.row(text, role)).toList();
        int all = rows.stream().mapToInt(TokenRow::size).sum();
        int kept = rows.stream().mapToInt(row -> encoder.kept(row, role).length).sum();
        findings.fact(prefix + "vectors", kept + " of " + all + " tokens take part");
        List<RowCheck.Text> texts = CheckTexts.ALL.stream()
                .map(text -> text(text, role))
                .filter(text -> text.size() > 0)
                .toList();
        if (!RowCheck.canExchange(texts)) {
            findings.warn(prefix + CheckTexts.ONE_TOKEN);
            return;
        }
        RowCheck check = new RowCheck(texts, (some, left) -> encoder.vectors(some, role, left));
        findings.sameness(
                prefix, check, (a, b) -> farthest(a, b, 0, a.length), encoder.padsLeft(), encoder.runsAlone());
        exchange(prefix, check);
    }

    /** Where the text's own tokens are, is asked of the row without the mask tokens behind it. */
    private RowCheck.Text text(String text, Role role) {
        TextRows maker = encoder.rows(role);
        RowCheck.Text own = RowCheck.Text.of(maker.row(text), maker);
        return new RowCheck.Text(encoder.row(text, role), own.from(), own.to());
    }

    /** The largest distance between two vectors of the same token, in parts of two rows' numbers. */
    private double farthest(float[] a, float[] b, int from, int to) {
        double largest = 0;
        for (int at = from; at < to; at += dimension) {
            largest = Math.max(largest, RowCheck.cosineDistance(a, b, at, at + dimension));
        }
        return largest;
    }

    /**
     * Whether another token at an end changes nothing.
     *
     * @param lost not even its own vector
     * @param unseen none of those towards the other end
     */
    private record End(boolean lost, boolean unseen) {}

    private void exchange(String prefix, RowCheck check) {
        RowCheck.Change behind = (a, b, place) -> farthest(a, b, (place + 1) * dimension, a.length);
        RowCheck.Change before = (a, b, place) -> farthest(a, b, 0, place * dimension);
        End first = end(prefix + "first token", check, RowCheck.Text::first, " in a vector behind it", behind);
        End last = end(prefix + "last token", check, RowCheck.Text::last, " in a vector before it", before);
        judge(prefix, first, last);
    }

    private End end(
            String name, RowCheck check, ToIntFunction<RowCheck.Text> place, String where, RowCheck.Change others) {
        RowCheck.Change own = (a, b, at) -> farthest(a, b, at * dimension, (at + 1) * dimension);
        boolean lost = findings.isUnchanged(name, " in its own vector", check, place, own);
        return new End(lost, findings.isUnchanged(name, where, check, place, others));
    }

    private void judge(String prefix, End first, End last) {
        if (first.lost()) {
            findings.warn(prefix + "vectors: the first token's own stays the same whatever that token is: input is lost"
                    + " at the beginning");
        }
        if (last.lost()) {
            findings.warn(prefix + "vectors: the last token's own stays the same whatever that token is: input is lost"
                    + " at the end");
        }
        if (first.lost() || last.lost()) {
            return;
        }
        if (first.unseen() && last.unseen()) {
            // Static vectors may be meant, and their scores are then right; but a graph that lost its attention has no
            // position bias either, and would be praised for it.
            findings.warn(prefix + "vectors change with no other first or last token but their own: the graph gives"
                    + " words without context, which is right only where static vectors are meant");
        } else if (last.unseen()) {
            findings.warn(prefix + "vectors before the last token stay the same whatever that token is: the graph is"
                    + " causal, or input is lost at the end");
        } else if (first.unseen()) {
            findings.warn(prefix + "vectors behind the first token stay the same whatever that token is: the graph sees"
                    + " what follows only, or input is lost at the beginning");
        }
    }
}
