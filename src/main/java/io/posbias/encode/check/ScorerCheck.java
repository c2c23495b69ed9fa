package io.posbias.encode.check;

import io.posbias.Suggestions;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.PairScorer;
import io.posbias.encode.model.Activation;
import io.posbias.encode.model.GraphScorer;
import io.posbias.encode.onnx.TokenRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Looks whether a loaded reranker does what its recipe says: one query with each of eight built-in texts goes through it,
 * each pair alone, together, padded on either side, and with the first or last token of the passage or of the query
 * exchanged.
 *
 * <p>Logits are compared, as scores run out of digits where the activation is flat. Logits have no unit: what is a large
 * difference for one model is none for another. What counts is whether passages change places, so differences are given
 * as shares of the range of the eight pairs' logits; one of the texts answers the query.
 */
public final class ScorerCheck {
    /**
     * A thousandth of the range changes no places but of passages that are all but equal. A millionth is what 32-bit floats
     * round, so a token that changes less is not read.
     */
    private static final Scale SCALE = new Scale("scores", "pair", "share of their range", 1e-3, 1e-6);

    /** Logits of one value differ by this share of it at most, by rounding. */
    private static final double ROUNDING = 1e-6;

    /** Whether a query is read shows with two passages as with eight. */
    private static final int QUERIES = 2;

    private static final List<PairScorer.Pair> PAIRS = CheckTexts.ALL.stream()
            .map(text -> new PairScorer.Pair(CheckTexts.QUERY, text))
            .toList();

    private final GraphScorer scorer;
    private final CheckReport findings = new CheckReport(SCALE);

    private ScorerCheck(GraphScorer scorer) {
        this.scorer = scorer;
    }

    /** Checks a graph. */
    public static ModelCheck of(GraphScorer scorer, Engine engine) {
        ScorerCheck check = new ScorerCheck(scorer);
        check.findings.fact("device", scorer.device().toString());
        check.findings.graph("", scorer.model(), scorer.output());
        scorer.kind().facts().forEach(check.findings::fact);
        check.check(engine);
        return check.findings.done();
    }

    /** Asks a service once, with a query and two texts, of which the second answers it. */
    public static ModelCheck ofService(PairScorer scorer) {
        CheckReport findings = new CheckReport(SCALE);
        List<PairScorer.Pair> pairs = List.of(PAIRS.getFirst(), PAIRS.get(CheckTexts.ANSWER));
        List<PairScorer.Scored> all = Collections.synchronizedList(new ArrayList<>());
        long start = System.nanoTime();
        scorer.prepare(pairs).run(all::addAll);
        long nanos = System.nanoTime() - start;
        all.sort(Comparator.comparingInt(PairScorer.Scored::pair));
        float other = all.getFirst().score();
        float answer = all.getLast().score();
        findings.answer(nanos, scorer.effort());
        findings.fact("scores", answer + " of a passage that answers the query, " + other + " of one that does not");
        if (!Float.isFinite(answer) || !Float.isFinite(other)) {
            findings.warn("the service gives scores that are no numbers");
        } else if (answer == other) {
            findings.warn("the service gives two different passages the same score");
        }
        return findings.done();
    }

    private TokenRow row(String query, String passage) {
        return scorer.kind().row(new PairScorer.Pair(query, passage)).row();
    }

    private void check(Engine engine) {
        TokenRow bare = row(CheckTexts.QUERY, "");
        List<RowCheck.Text> passages = CheckTexts.ALL.stream()
                .map(text -> RowCheck.Text.inserted(row(CheckTexts.QUERY, text), bare))
                .toList();
        if (passages.stream().anyMatch(text -> text.size() == 0)) {
            findings.warn("max-tokens leaves no room for a passage beside a query of four words");
            return;
        }
        if (!RowCheck.canExchange(passages)) {
            findings.warn(CheckTexts.ONE_TOKEN);
            return;
        }
        compare(passages, engine);
    }

    private void compare(List<RowCheck.Text> passages, Engine engine) {
        RowCheck check = new RowCheck(passages, this::logits);
        double[] logits = check.alone.stream().mapToDouble(logit -> logit[0]).toArray();
        if (!DoubleStream.of(logits).allMatch(Double::isFinite)) {
            findings.warn("the model gives scores that are no numbers: " + Arrays.toString(logits));
            return;
        }
        findings.speed(
                passages.stream().map(RowCheck.Text::row).toList(),
                "pairs",
                engine,
                () -> scorer.prepare(PAIRS).run(batch -> {}));
        DoubleSummaryStatistics range = DoubleStream.of(logits).summaryStatistics();
        scores(range);
        if (!areEqual(logits, range)) {
            rank(logits);
            compare(check, range.getMax() - range.getMin());
        }
    }

    private List<float[]> logits(List<TokenRow> rows, boolean left) {
        return DoubleStream.of(scorer.logits(rows, left))
                .mapToObj(logit -> new float[] {(float) logit})
                .toList();
    }

    private void scores(DoubleSummaryStatistics range) {
        Activation activation = scorer.kind().activation();
        String scores = between(activation.of(range.getMin()), activation.of(range.getMax()));
        findings.fact(
                "scores",
                activation == Activation.NONE
                        ? scores
                        : scores + ", the " + Suggestions.word(activation) + " of "
                                + between(range.getMin(), range.getMax()));
    }

    private void rank(double[] logits) {
        long better = DoubleStream.of(logits)
                .filter(logit -> logit > logits[CheckTexts.ANSWER])
                .count();
        findings.fact("rank", (better + 1) + " of " + logits.length + " for the passage that answers the query");
    }

    private static String between(double least, double most) {
        return digits(least) + " to " + digits(most);
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    /** Whether no order comes of the scores, with a warning. */
    private boolean areEqual(double[] logits, DoubleSummaryStatistics range) {
        double largest = Math.max(Math.abs(range.getMin()), Math.abs(range.getMax()));
        if (range.getMax() - range.getMin() <= ROUNDING * largest) {
            findings.warn("all passages get the same score");
            return true;
        }
        Activation activation = scorer.kind().activation();
        if (DoubleStream.of(logits).mapToObj(activation::of).distinct().count() == 1) {
            findings.warn("all passages get the same score: as 32-bit floats the " + Suggestions.word(activation)
                    + " of " + between(range.getMin(), range.getMax()) + " is one number");
            return true;
        }
        return false;
    }

    private void compare(RowCheck check, double range) {
        findings.fact("distances", "as shares of the logits' range, " + digits(range));
        findings.sameness("", check, (a, b) -> difference(a, b, range), scorer.padsLeft(), scorer.runsAlone());
        RowCheck.Change change = (before, after, place) -> difference(before, after, range);
        boolean first = findings.isUnchanged("first token", "", check, RowCheck.Text::first, change);
        boolean last = findings.isUnchanged("last token", "", check, RowCheck.Text::last, change);
        if (first) {
            findings.warn(
                    "scores stay the same whatever the first token of the passage is: input is lost at its beginning");
        }
        if (last) {
            findings.warn("scores stay the same whatever the last token of the passage is: input is lost at its end, or"
                    + " the graph is causal and not read at its last token");
        }
        query(change);
    }

    /** A difference that is no number is larger than any. */
    private static double difference(float[] a, float[] b, double range) {
        double difference = Math.abs((double) a[0] - b[0]) / range;
        return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }

    private void query(RowCheck.Change change) {
        List<RowCheck.Text> queries = CheckTexts.ALL.stream()
                .limit(QUERIES)
                .map(text -> RowCheck.Text.inserted(row(CheckTexts.QUERY, text), row("", text)))
                .toList();
        if (!RowCheck.canExchange(queries)) {
            return;
        }
        RowCheck check = new RowCheck(queries, this::logits);
        boolean noFirst = findings.isUnchanged("query first token", "", check, RowCheck.Text::first, change);
        boolean noLast = findings.isUnchanged("query last token", "", check, RowCheck.Text::last, change);
        if (noFirst && noLast) {
            findings.warn("scores stay the same whatever the query's first and last tokens are: it is not read");
        } else if (noFirst || noLast) {
            findings.warn("scores stay the same whatever the query's " + (noFirst ? "first" : "last")
                    + " token is: input is lost there");
        }
    }
}
