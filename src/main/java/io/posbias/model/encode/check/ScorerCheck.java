package io.posbias.model.encode.check;

import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.ModelCheck.Outcome;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.check.RowCheck.CheckedText;
import io.posbias.model.encode.check.RowCheck.Part;
import io.posbias.model.encode.model.Activation;
import io.posbias.model.encode.model.GraphScorer;
import io.posbias.model.encode.onnx.TokenRow;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Check of a reranker against its recipe. One query with each of eight built-in texts goes through it, each pair alone,
 * together, padded on either side, and with the first or last token of the passage or of the query exchanged.
 *
 * <p>Logits are compared, as scores run out of digits where the activation is flat. Logits have no unit. What counts is whether
 * passages change places, so differences are shares of the range of the eight pairs' logits; one of the texts answers
 * the query.
 */
public final class ScorerCheck {
    /** Logits of one value differ by this share of it at most, by rounding. */
    private static final double ROUNDING = 1e-6;

    /** Passages for the check of the query's tokens; eight show no more. */
    private static final int QUERIES = 2;

    private static final List<PairScorer.TextPair> PAIRS = CheckTexts.ALL.stream()
            .map(text -> new PairScorer.TextPair(CheckTexts.QUERY, text))
            .toList();

    private final GraphScorer scorer;
    private final Findings findings = new Findings();

    /** Difference of the largest and the smallest logit of {@link #PAIRS}. */
    private double range;

    /**
     * A thousandth of the range changes no places but of passages that are all but equal. A millionth is what 32-bit floats
     * round, so a token that changes less is not read.
     */
    private final RowCheck.Scale scale = new RowCheck.Scale(
            "scores", "pair", "share of their range", 1e-3, 1e-6, 1, (a, b, from, to) -> share(a[0], b[0]));

    private ScorerCheck(GraphScorer scorer) {
        this.scorer = scorer;
    }

    public static ModelCheck of(GraphScorer scorer, Engine engine) {
        ScorerCheck check = new ScorerCheck(scorer);
        check.findings.device(scorer.device());
        check.findings.graph("", scorer.model(), scorer.output());
        scorer.kind().facts().forEach(check.findings::fact);
        check.check(engine);
        return check.findings.done();
    }

    /** Calls a service once, with a query and two texts; the second answers it. */
    public static ModelCheck ofService(PairScorer scorer) {
        Findings findings = new Findings();
        List<PairScorer.TextPair> pairs = List.of(PAIRS.getFirst(), PAIRS.get(CheckTexts.ANSWER));
        float[] scores = new float[pairs.size()];
        long start = System.nanoTime();
        scorer.prepare(pairs).run(some -> some.forEach(scored -> scores[scored.pair()] = scored.score()));
        findings.answer(System.nanoTime() - start, scorer.usage());
        if (!Float.isFinite(scores[0]) || !Float.isFinite(scores[1])) {
            findings.fail("scores", "the service returns scores that are not numbers");
        } else if (scores[0] == scores[1]) {
            findings.fail("scores", "the service gives two different passages the same score: " + scores[0]);
        } else {
            findings.ok(
                    "scores",
                    scores[1] + " of a passage that answers the query, " + scores[0] + " of one that does not");
        }
        return findings.done();
    }

    private TokenRow row(String query, String passage) {
        return scorer.kind().row(new PairScorer.TextPair(query, passage)).row();
    }

    private void check(Engine engine) {
        TokenRow bare = row(CheckTexts.QUERY, "");
        List<CheckedText> passages = CheckTexts.ALL.stream()
                .map(text -> CheckedText.inserted(row(CheckTexts.QUERY, text), bare))
                .toList();
        if (passages.stream().anyMatch(text -> text.size() == 0)) {
            findings.fail("max-tokens", "max-tokens leaves no room for a passage beside a query of four words");
            return;
        }
        if (!RowCheck.canExchange(passages)) {
            findings.fail("tokenizer", CheckTexts.ONE_TOKEN);
            return;
        }
        RowCheck check = new RowCheck(passages, this::logits, scale, "", findings);
        double[] logits = check.alone().stream().mapToDouble(logit -> logit[0]).toArray();
        if (!DoubleStream.of(logits).allMatch(Double::isFinite)) {
            findings.fail("scores", "the model returns scores that are not numbers: " + Arrays.toString(logits));
            return;
        }
        findings.speed(
                passages.stream().map(CheckedText::row).toList(),
                "pairs",
                engine,
                () -> scorer.prepare(PAIRS).run(batch -> {}));
        DoubleSummaryStatistics ends = DoubleStream.of(logits).summaryStatistics();
        range = ends.getMax() - ends.getMin();
        scores(ends);
        if (!areEqual(logits, ends)) {
            long better = DoubleStream.of(logits)
                    .filter(logit -> logit > logits[CheckTexts.ANSWER])
                    .count();
            findings.add(
                    better == 0 ? Outcome.OK : Outcome.WARN,
                    "rank",
                    (better + 1) + " of " + logits.length + " for the passage that answers the query");
            compare(check);
        }
    }

    private List<float[]> logits(List<TokenRow> rows, boolean left) {
        return DoubleStream.of(scorer.logits(rows, left))
                .mapToObj(logit -> new float[] {(float) logit})
                .toList();
    }

    private void scores(DoubleSummaryStatistics ends) {
        Activation activation = scorer.kind().activation();
        String scores = between(activation.of(ends.getMin()), activation.of(ends.getMax()));
        findings.fact(
                "scores",
                activation == Activation.NONE
                        ? scores
                        : scores + ", the " + Suggestions.word(activation) + " of "
                                + between(ends.getMin(), ends.getMax()));
    }

    private double share(float a, float b) {
        double difference = Math.abs((double) a - b) / range;
        return Double.isNaN(difference) ? Double.POSITIVE_INFINITY : difference;
    }

    private static String between(double least, double most) {
        return digits(least) + " to " + digits(most);
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    /** Returns true, with a warning, if scores give no order. */
    private boolean areEqual(double[] logits, DoubleSummaryStatistics ends) {
        double largest = Math.max(Math.abs(ends.getMin()), Math.abs(ends.getMax()));
        if (range <= ROUNDING * largest) {
            findings.fail("order", "all passages get the same score");
            return true;
        }
        Activation activation = scorer.kind().activation();
        if (DoubleStream.of(logits).mapToObj(activation::of).distinct().count() == 1) {
            findings.fail(
                    "order",
                    "all passages get the same score: as 32-bit floats the " + Suggestions.word(activation) + " of "
                            + between(ends.getMin(), ends.getMax()) + " is one number");
            return true;
        }
        return false;
    }

    private void compare(RowCheck check) {
        findings.fact("distances", "as shares of the logits' range, " + digits(range));
        check.sameness(scorer.padsLeft(), scorer.runsAlone());
        boolean first = check.isUnchanged("first token", CheckedText::first, Part.ALL);
        boolean last = check.isUnchanged("last token", CheckedText::last, Part.ALL);
        if (first) {
            findings.fail(
                    "first token",
                    "scores stay the same whatever the first token of the passage is: input is lost at its beginning");
        }
        if (last) {
            findings.fail(
                    "last token",
                    "scores stay the same whatever the last token of the passage is: input is lost at its end, or"
                            + " the graph is causal and not read at its last token");
        }
        query();
    }

    private void query() {
        List<CheckedText> queries = CheckTexts.ALL.stream()
                .limit(QUERIES)
                .map(text -> CheckedText.inserted(row(CheckTexts.QUERY, text), row("", text)))
                .toList();
        if (!RowCheck.canExchange(queries)) {
            return;
        }
        RowCheck check = new RowCheck(queries, this::logits, scale, "query ", findings);
        boolean noFirst = check.isUnchanged("first token", CheckedText::first, Part.ALL);
        boolean noLast = check.isUnchanged("last token", CheckedText::last, Part.ALL);
        if (noFirst && noLast) {
            findings.fail(
                    "query tokens",
                    "scores stay the same whatever the query's first and last tokens are: it is not read");
        } else if (noFirst || noLast) {
            String token = (noFirst ? "first" : "last") + " token";
            findings.fail(
                    "query " + token,
                    "scores stay the same whatever the query's " + token + " is: input is lost there");
        }
    }
}
