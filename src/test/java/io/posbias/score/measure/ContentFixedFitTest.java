package io.posbias.score.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Position with the content held fixed against numpy: scripts/tests/clusters_golden.py prints the numbers. */
class ContentFixedFitTest {
    private static final Offset<Double> CLOSE = within(1e-9);
    private static final double[][] SCORES = {
        {0.086, 0.237, 0.801, 0.582, 0.094, 0.433, 0.479},
        {0.16, 0.735, 0.114, 0.391, 0.517, 0.431, 0.587},
        {0.738, 0.956, 0.284, 0.649, 0.696, 0.293, 0.001},
        {0.973, 0.298, 0.314, 0.892, 0.585, 0.471, 0.773},
        {0.03, 0.707, 0.374, 0.091, 0.661, 0.931, 0.207},
        {0.63, 0.298, 0.742, 0.722, 0.219, 0.83, 0.658},
        {0.683, 0.82, 0.429, 0.759, 0.878, 0.102, 0.85},
        {0.394, 0.48, 0.146, 0.698, 0.292, 0.871, 0.275}
    };
    private static final int[] NATURAL = {2, 5, 0, 6, 3, 1, 4, 2};
    private static final String[] PASSAGES = {"a", "a", "b", "b", "c", "d", "e", "e"};
    private static final int PLACES = 7;

    static ContentFixedFit fit(int threads) {
        return new ContentFixedFit(
                Settings.USUAL
                        .withMeasures(List.of(Measures.parse("nDCG@10")))
                        .withCluster(Clustering.By.PASSAGE)
                        .withDraws(500)
                        .withSeed(1)
                        .withConfidence(0.95)
                        .with("equivalence", 0.02),
                "moving",
                threads);
    }

    private static ScoresByPlace row(int query, String passage, double[] scores, int natural, boolean[] unread) {
        boolean[] isNatural = new boolean[scores.length];
        int[] broken = new int[scores.length];
        for (int place = 0; place < scores.length; place++) {
            isNatural[place] = place == natural;
            boolean inside = natural > 0 && natural < scores.length - 1;
            broken[place] =
                    place == natural ? 0 : (inside ? 1 : 0) + (place > 0 ? 1 : 0) + (place < scores.length - 1 ? 1 : 0);
        }
        boolean[] found = new boolean[scores.length];
        for (int place = 0; place < found.length; place++) {
            found[place] = scores[place] > 0.3;
        }
        return new ScoresByPlace(
                "q" + query, passage, "", scores[natural], scores, found, isNatural, broken, Reads.of(unread));
    }

    private static List<ScoresByPlace> rows() {
        List<ScoresByPlace> rows = new ArrayList<>();
        for (int q = 0; q < SCORES.length; q++) {
            rows.add(row(q, PASSAGES[q], SCORES[q], NATURAL[q], new boolean[PLACES]));
        }
        return rows;
    }

    /** Natural text scores 1 but at the second place, where it mostly is: its adjusted mean is below 0. */
    @Test
    void anAdjustedMeanBelowZeroCountsAsZeroInPsi() {
        List<ScoresByPlace> rows = new ArrayList<>();
        for (int q = 0; q < 12; q++) {
            int natural = q < 8 ? 1 : q % PLACES;
            double[] scores = new double[PLACES];
            scores[natural] = natural == 1 ? 0.1 : 1;
            rows.add(row(q, "p" + q, scores, natural, new boolean[PLACES]));
        }
        ContentFixed fixed = fit(1).of(rows, placement(rows.size()));
        assertThat(fixed.places().get(1).mean()).isNegative();
        assertThat(fixed.cpsi().value()).isEqualTo(1.0);
    }

    /** In two buckets, alternately. */
    private static QueryBuckets placement(int queries) {
        List<Query> list = new ArrayList<>();
        for (int q = 0; q < queries; q++) {
            int start = q % 2 == 0 ? 10 : 80;
            list.add(new Query("q" + q, "?", new Evidence(start, start + 5, 100, Evidence.UNKNOWN, List.of(), null)));
        }
        return QueryBuckets.of(list, Bucketing.parse("relative:2"));
    }

    @Test
    void leastSquaresWithinQueriesWithErrorsByPassage() {
        ContentFixed found = fit(1).of(rows(), placement(8));
        assertThat(found.clusters()).isEqualTo(5);
        assertThat(found.frontMinusBack().value()).isCloseTo(-0.02673046556642196, CLOSE);
        assertThat(found.frontMinusBack().pValue()).isCloseTo(0.6438401533441659, CLOSE);
        assertThat(Objects.requireNonNull(found.cpsi().value())).isCloseTo(0.36058689953947687, CLOSE);
        assertThat(Objects.requireNonNull(found.natural()).value()).isCloseTo(0.4855650977995234, CLOSE);
        assertThat(Objects.requireNonNull(found.broken()).value()).isCloseTo(0.18301130806846433, CLOSE);
        assertThat(found.places())
                .extracting(ContentFixed.Place::mean)
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-7 ? 0 : Double.compare(a, b))
                .containsExactly(0.5586584, 0.52602492, 0.36808352, 0.55764992, 0.45239992, 0.50489992, 0.5756584);
    }

    @Test
    void observedIsContentPlusPosition() {
        ContentFixed.Bucket first = fit(1).of(rows(), placement(8)).buckets().getFirst();
        // Queries 0, 2, 4, 6: observed .801 .738 .091 .878; content as unchanged text, by numpy.
        assertThat(Objects.requireNonNull(first.observed())).isCloseTo((0.801 + 0.738 + 0.091 + 0.878) / 4, CLOSE);
        double content = 0.5252462561124702;
        assertThat(Objects.requireNonNull(first.content())).isCloseTo(content, CLOSE);
        assertThat(Objects.requireNonNull(first.position()).value())
                .isCloseTo((0.801 + 0.738 + 0.091 + 0.878) / 4 - content, CLOSE);
    }

    @Test
    void theSameOnAnyNumberOfThreads() {
        assertThat(fit(3).of(rows(), placement(8))).isEqualTo(fit(1).of(rows(), placement(8)));
    }

    /** Many queries whose scores at a place are these, but for a level of their own. */
    private static List<ScoresByPlace> many(IntToDoubleFunction place, double naturalBonus, int cut) {
        List<ScoresByPlace> rows = new ArrayList<>();
        for (int q = 0; q < 120; q++) {
            double level = 0.3 + 0.01 * (q % 30);
            int natural = q * 5 % PLACES;
            double[] scores = new double[PLACES];
            boolean[] unread = new boolean[PLACES];
            for (int k = 0; k < PLACES; k++) {
                // Noise that is the same at mirrored places.
                double noise = 0.01 * ((q * 7 + k * 13) % 5 - 2);
                unread[k] = q % 3 == 0 && k >= cut;
                scores[k] =
                        level + (unread[k] ? -0.2 : place.applyAsDouble(k)) + noise + (k == natural ? naturalBonus : 0);
            }
            rows.add(row(q, "p" + q / 2, scores, natural, unread));
        }
        return rows;
    }

    private static TestOutcome verdict(List<ScoresByPlace> rows) {
        return fit(1).of(rows, placement(rows.size())).outcome();
    }

    @Test
    void directionsAreNamed() {
        assertThat(verdict(many(k -> -0.02 * k, 0, PLACES))).isEqualTo(TestOutcome.PRIMACY);
        assertThat(verdict(many(k -> 0.02 * k, 0, PLACES))).isEqualTo(TestOutcome.RECENCY);
        // The middle against both ends is no direction.
        assertThat(verdict(many(k -> -0.02 * Math.abs(k - 3), 0, PLACES))).isEqualTo(TestOutcome.EVEN);
        assertThat(verdict(many(k -> 0, 0, PLACES))).isEqualTo(TestOutcome.EVEN);
    }

    /** A bonus for the text as it is is no bias, even where most texts have their evidence in front. */
    @Test
    void aBonusForTheUnchangedTextIsNoPosition() {
        List<ScoresByPlace> rows = many(k -> 0, 0.2, PLACES).stream()
                .map(row -> row(
                        Integer.parseInt(row.query().substring(1)),
                        row.passage(),
                        bonus(row.scores().length, Integer.parseInt(row.query().substring(1))),
                        Integer.parseInt(row.query().substring(1)) % 4 == 0 ? 5 : 0,
                        new boolean[PLACES]))
                .toList();
        assertThat(verdict(rows)).isEqualTo(TestOutcome.EVEN);
    }

    private static double[] bonus(int places, int query) {
        double[] scores = new double[places];
        Arrays.fill(scores, 0.3 + 0.01 * (query % 30));
        scores[query % 4 == 0 ? 5 : 0] += 0.2;
        return scores;
    }

    @Test
    void evidenceThatIsNotReadIsACauseOfItsOwn() {
        List<ScoresByPlace> cut = many(k -> 0, 0, 4);
        ContentFixed found = fit(1).of(cut, placement(cut.size()));
        assertThat(found.outcome()).isEqualTo(TestOutcome.PRIMACY);
        assertThat(found.verdicts()).containsExactly(Verdict.UNREAD);
        // A third of the last three places scores 0.2 less.
        LossParts parts = Objects.requireNonNull(found.parts());
        assertThat(Objects.requireNonNull(parts.notReading()).points().value()).isCloseTo(0.2 / 3, within(0.005));
        assertThat(Objects.requireNonNull(parts.position()).points().value()).isCloseTo(0, within(0.005));
        assertThat(found.places())
                .extracting(ContentFixed.Place::unread)
                .startsWith(0.0)
                .endsWith(1 / 3.0);
        // With a bias of its own as well it is named.
        assertThat(fit(1).of(many(k -> -0.02 * k, 0, 4), placement(120)).verdicts())
                .containsExactlyInAnyOrder(Verdict.POSITION, Verdict.UNREAD);
    }

    @Test
    void partsAddUp() {
        LossParts parts = Objects.requireNonNull(
                fit(1).of(many(k -> -0.01 * k, 0.1, 5), placement(120)).parts());
        assertThat(Objects.requireNonNull(parts.position()).points().value()
                        + Objects.requireNonNull(parts.notReading()).points().value())
                .isCloseTo(parts.loss().value(), CLOSE);
    }

    /** All passages end to be read at one place: what is lost behind it is both, and neither word is said for it. */
    @Test
    void aDropWhereAllPassagesAreCutIsNoPart() {
        List<ScoresByPlace> rows = many(k -> k < 5 ? 0 : -0.2, 0, PLACES).stream()
                .map(row -> new ScoresByPlace(
                        row.query(),
                        row.passage(),
                        "",
                        row.observed(),
                        row.scores(),
                        row.found(),
                        row.natural(),
                        row.broken(),
                        Reads.of(false, false, false, false, true, true, true)))
                .toList();
        ContentFixed found = fit(1).of(rows, placement(120));
        LossParts parts = Objects.requireNonNull(found.parts());
        assertThat(parts.notReading()).isNull();
        assertThat(parts.basis().lastPlace()).isEqualTo(4);
        assertThat(Objects.requireNonNull(parts.position()).points().value()).isCloseTo(0, within(0.01));
        assertThat(Objects.requireNonNull(parts.remainder()).interval().low()).isPositive();
        assertThat(found.verdicts()).containsExactly(Verdict.OPEN);
        assertThat(found.isTold()).isFalse();
    }

    /** Position in passages that are cut alone: the guard keeps it from being called not reading. */
    @Test
    void anEffectInLongPassagesIsNotNamed() {
        List<ScoresByPlace> rows = many(k -> 0, 0, 5).stream()
                .map(row -> {
                    double[] scores = row.scores().clone();
                    for (int k = 0; k < PLACES; k++) {
                        int q = Integer.parseInt(row.query().substring(1));
                        scores[k] += (k >= 5 && q % 3 == 0 ? 0.2 : 0) - (q % 3 == 0 ? 0.03 * k : 0);
                    }
                    return new ScoresByPlace(
                            row.query(),
                            row.passage(),
                            "",
                            row.observed(),
                            scores,
                            row.found(),
                            row.natural(),
                            row.broken(),
                            row.read());
                })
                .toList();
        ContentFixed found = fit(1).of(rows, placement(120));
        LossParts parts = Objects.requireNonNull(found.parts());
        assertThat(Objects.requireNonNull(parts.notReading())
                        .points()
                        .interval()
                        .low())
                .isPositive();
        assertThat(found.verdicts()).doesNotContain(Verdict.UNREAD);
        assertThat(parts.isUntold(0.02)).isTrue();
    }

    @Test
    void aModelThatDoesNotSeePositionsHasZeroExactly() {
        List<ScoresByPlace> rows = new ArrayList<>();
        for (int q = 0; q < 40; q++) {
            double[] scores = new double[10];
            Arrays.fill(scores, 1 / Math.log(q + 2.3));
            rows.add(row(q, "p" + q / 3, scores, q % 10, new boolean[10]));
        }
        ContentFixed found = fit(1).of(rows, placement(40));
        assertThat(found.cpsi().value()).isZero();
        // 14 clusters are too few for its test.
        assertThat(found.cpsi().pValue()).isNull();
        assertThat(found.frontMinusBack().value()).isZero();
        assertThat(found.frontMinusBack().pValue()).isOne();
        assertThat(found.buckets().getFirst().position())
                .satisfies(position ->
                        assertThat(Objects.requireNonNull(position).value()).isZero());
    }

    @Test
    void twoSystemsAreComparedQueryByQuery() {
        List<ScoresByPlace> flat = many(k -> 0, 0, PLACES);
        List<ScoresByPlace> front = many(k -> -0.02 * k, 0, PLACES);
        ContentFixedFit.Difference difference = Objects.requireNonNull(fit(1).compare(flat, front));
        // The last places lose .08 .10 .12, the first ones 0 .02 .04: 0.08 apart; noise is the same and cancels.
        assertThat(difference.frontMinusBack().value()).isCloseTo(0.08, CLOSE);
        assertThat(difference.frontMinusBack().pValue()).isLessThan(1e-9);
        Comparison.PsiDifference cpsi = Objects.requireNonNull(difference.cpsi());
        assertThat(Objects.requireNonNull(cpsi.difference()).interval().holds(0))
                .isFalse();
        ContentFixedFit.Difference none = Objects.requireNonNull(fit(1).compare(flat, flat));
        assertThat(none.frontMinusBack().pValue()).isOne();
        assertThat(Objects.requireNonNull(Objects.requireNonNull(none.cpsi()).difference())
                        .interval()
                        .holds(0))
                .isTrue();
    }
}
