package io.posbias.report.mitigate;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Power;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is recommended by the loss with the content held fixed: rows of a model on articles. */
class LossAdviceTest {
    private static final Effect.Criteria CRITERIA = new Effect.Criteria(0.95, 0.01);

    private static Estimate percent(double value, double low, double high, double p) {
        return new Estimate(value / 100, new Interval(low / 100, high / 100), p);
    }

    private static ContentFixed fixed(Estimate loss, TestOutcome outcome) {
        List<ContentFixed.Place> places = Arrays.stream(new double[] {0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4})
                .mapToObj(mean -> new ContentFixed.Place(1, mean, null, null))
                .toList();
        return new ContentFixed(
                "nDCG@10",
                "rotation",
                600,
                90,
                60.0,
                0.5,
                Psi.of(0.2),
                new PositionLoss(
                        new PositionLoss.EndLoss(0.5, 0.5 * (1 - loss.value()), loss),
                        null,
                        new PositionLoss.WorstPlace(7, 0.1, new Interval(0, 0.2)),
                        null,
                        TestOutcome.EQUIVALENCE),
                loss,
                loss,
                null,
                null,
                outcome,
                null,
                new Power(null, null, null, null),
                places,
                List.of());
    }

    private static Mitigation row(
            String strategy,
            @Nullable ContentFixed fixed,
            Verdict verdict,
            Mitigation.@Nullable StrategyChange change,
            PositionLoss.@Nullable Change loss) {
        Profile profile = new Profile(
                "nDCG@10",
                "all",
                1327,
                96,
                70.0,
                0.5,
                null,
                0.5,
                null,
                Psi.of(0.3),
                List.of(),
                null,
                null,
                fixed,
                null,
                List.of(verdict));
        double vectors = strategy.contains("chunked") ? 85 : 1;
        return new Mitigation(
                "articles",
                "m",
                strategy,
                profile,
                new Mitigation.StrategyCost(vectors, null, 0, 0, 0, 0),
                change,
                loss,
                null);
    }

    private static Mitigation plain(Estimate loss, Verdict verdict) {
        TestOutcome outcome =
                verdict.isSound() ? TestOutcome.EVEN : loss.pValue() < 0.05 ? TestOutcome.PRIMACY : TestOutcome.OPEN;
        return row("", fixed(loss, outcome), verdict, null, null);
    }

    private static Mitigation.StrategyChange change(Estimate mean, Effect.Word word) {
        Comparison comparison = new Comparison(
                "nDCG@10", "all", 1327, 96, 0.5, 0.5 + mean.value(), mean, null, 9, 9, 9, null, List.of());
        Effect.Summary none = new Effect.Summary(0.4, 0.4, null);
        return new Mitigation.StrategyChange(
                new Effect(comparison, none, none, "0-20%", "0-20%", null),
                mean.pValue(),
                null,
                word,
                false,
                1327,
                null,
                null);
    }

    /** A strategy with another loss, whose magnitude is compared by the p-value. */
    private static Mitigation strategy(
            String name, Mitigation plain, Estimate loss, double p, Estimate mean, Effect.Word word) {
        double before = loss(plain).value();
        double size = Math.abs(loss.value()) - Math.abs(before);
        return row(
                name,
                fixed(loss, TestOutcome.OPEN),
                Verdict.OPEN,
                change(mean, word),
                new PositionLoss.Change(
                        before,
                        loss.value(),
                        new Estimate(loss.value() - before, new Interval(-1, 1), p),
                        new Estimate(size, new Interval(-1, 1), p)));
    }

    private static Estimate loss(Mitigation row) {
        Estimate loss = Mitigations.loss(row);
        assertThat(loss).isNotNull();
        return Objects.requireNonNull(loss);
    }

    private static String advice(Mitigation... rows) {
        return Advice.of(new ArrayList<>(List.of(rows)), CRITERIA).getFirst();
    }

    private static final Mitigation ARTICLES = plain(percent(33, 28, 38, 0.0001), Verdict.UNREAD);
    private static final Estimate UP = percent(4.3, 3, 6, 0.0001);

    private static Mitigation fused(double p) {
        return strategy("fused", ARTICLES, percent(19, 12, 26, 0.0001), p, UP, Effect.Word.IMPROVES);
    }

    private static Mitigation chunked(Estimate mean) {
        return strategy("chunked", ARTICLES, percent(-3, -14, 7, 0.5), 0.0001, mean, Effect.Word.IMPROVES);
    }

    @Test
    void theSmallestLossWinsNotTheBestMean() {
        String advice = advice(ARTICLES, fused(0.001), chunked(percent(2, 1, 3, 0.001)));
        assertThat(advice)
                .startsWith(
                        "Recommended on articles: m+chunked (loss at the back 33.0% [28.0, 38.0] -> -3.0% [-14.0, 7.0],")
                .contains("; m+fused raises the mean by 4.3 points [3.0, 6.0]", "still loses 19.0% [12.0, 26.0]");
        // The order of the rows does not matter.
        assertThat(advice(ARTICLES, chunked(percent(2, 1, 3, 0.001)), fused(0.001)))
                .startsWith("Recommended on articles: m+chunked ");
    }

    /** Windows that hold whole passages say nothing of windows. */
    @Test
    void whatCutNothingWasNotTested() {
        Mitigation whole = withVectors(chunked(UP), 1.02);
        assertThat(advice(ARTICLES, whole))
                .isEqualTo("On articles not tested, as nothing was cut: m+chunked (1.02 windows a passage)");
        assertThat(advice(ARTICLES, fused(0.001), whole))
                .startsWith("Recommended on articles: m+fused ")
                .endsWith("; not tested, as nothing was cut: m+chunked (1.02 windows a passage)");
    }

    private static Mitigation withVectors(Mitigation row, double vectors) {
        return new Mitigation(
                row.dataset(),
                row.model(),
                row.strategy(),
                row.profile(),
                new Mitigation.StrategyCost(vectors, null, 0, 0, 0, 0),
                row.change(),
                row.loss(),
                row.selected());
    }

    @Test
    void ofEqualLossesTheOneWithFewerVectors() {
        Estimate none = percent(1, -2, 4, 0.5);
        assertThat(advice(
                        ARTICLES,
                        strategy("chunked", ARTICLES, none, 0.0001, UP, Effect.Word.IMPROVES),
                        strategy("mirrored", ARTICLES, none, 0.0001, UP, Effect.Word.IMPROVES)))
                .startsWith("Recommended on articles: m+mirrored ")
                // Neither has a loss left.
                .doesNotContain("still");
    }

    @Test
    void aGainInContentAloneIsOfTheMeanAlone() {
        assertThat(advice(ARTICLES, fused(0.2)))
                .startsWith("Recommended on articles for the mean alone: m+fused raises the mean by 4.3 points")
                .contains(
                        "the same evidence loses 19.0%",
                        "of m alone the same evidence loses 33.0% [28.0, 38.0] at the back, and no strategy",
                        "(smallest Holm p 0.200)");
        // Of three strategies each p counts three times.
        Mitigation other = strategy("mirrored", ARTICLES, percent(32, 27, 37, 0.001), 0.9, UP, Effect.Word.NO_CHANGE);
        assertThat(advice(ARTICLES, fused(0.02), other, other))
                .startsWith("Recommended on articles for the mean alone: m+fused");
        assertThat(advice(ARTICLES, fused(0.02))).startsWith("Recommended on articles: m+fused ");
    }

    @Test
    void aLossThatTurnsIsNotASmallerOne() {
        Mitigation turned =
                strategy("mirrored", ARTICLES, percent(-40, -45, -35, 0.0001), 0.0001, UP, Effect.Word.IMPROVES);
        assertThat(advice(ARTICLES, turned)).startsWith("On articles keep m ").contains("still gains 40.0%");
    }

    @Test
    void aMeanThatFallsIsAPrice() {
        assertThat(advice(ARTICLES, chunked(percent(-12, -15, -9, 0.0001))))
                .startsWith("On articles keep m ")
                .contains("m+chunked takes the loss to -3.0% [-14.0, 7.0], but the mean changes by -12.0 points");
        // A fall within the margin, or one that is not shown, is none.
        assertThat(advice(ARTICLES, chunked(percent(-1, -3, 1, 0.3))))
                .startsWith("Recommended on articles: m+chunked ");
    }

    @Test
    void withoutALossNothingIsNeeded() {
        Mitigation even = plain(percent(0.4, -1, 1.8, 0.6), Verdict.EVEN);
        Mitigation content = plain(percent(0.4, -1, 1.8, 0.6), Verdict.CONTENT);
        for (Mitigation plain : List.of(even, content)) {
            assertThat(advice(
                            plain,
                            strategy("fused", plain, percent(0.1, -1, 1, 0.9), 0.001, UP, Effect.Word.IMPROVES),
                            strategy("chunked", plain, percent(0.1, -1, 1, 0.9), 0.001, UP, Effect.Word.NO_CHANGE)))
                    .startsWith("Recommended on articles for the mean alone: m+fused raises the mean by 4.3 points")
                    .contains("loses 0.4% [-1.0, 1.8] at the back; no strategy is needed for position")
                    .doesNotContain("chunked");
        }
        assertThat(advice(content, strategy("fused", content, percent(0, -1, 1, 1), 1, UP, Effect.Word.NO_CHANGE)))
                .contains("its loss is content, not position");
    }

    @Test
    void fewOrEasyQueriesGiveNoAdvice() {
        for (Verdict verdict : List.of(Verdict.TOO_FEW, Verdict.TOO_EASY, Verdict.TOO_HARD)) {
            assertThat(advice(row("", ARTICLES.profile().contentFixed(), verdict, null, null), fused(0.001)))
                    .isEqualTo("On articles keep m as it is: its queries are " + verdict + " for a conclusion");
        }
    }

    @Test
    void whatHasNoLossToCompareIsNamed() {
        Mitigation late = row("late-chunked", null, Verdict.OPEN, change(UP, Effect.Word.IMPROVES), null);
        assertThat(advice(ARTICLES, fused(0.001), late))
                .startsWith("Recommended on articles: m+fused ")
                .endsWith("; without a loss to compare: m+late-chunked (--content-fixed)");
        // No loss at all: by the means.
        assertThat(advice(ARTICLES, late)).startsWith("Recommended on articles: m+late-chunked, whose mean changes");
    }

    @Test
    void whatIsNeverReadCountsWhereTheLossDoesNotShowIt() {
        Mitigation plain = row("", fixed(percent(0.4, -1, 1.8, 0.6), TestOutcome.EVEN), Verdict.UNREAD, null, null);
        assertThat(advice(plain, strategy("chunked", plain, percent(0.1, -1, 1, 0.9), 0.5, UP, Effect.Word.IMPROVES)))
                .startsWith("Recommended on articles: m+chunked, whose mean changes by +4.3 points");
    }
}
