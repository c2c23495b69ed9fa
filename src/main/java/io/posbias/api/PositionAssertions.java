package io.posbias.api;

import io.posbias.base.stats.Interval;
import io.posbias.base.table.Detail;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.TerminalStyle;
import io.posbias.score.gate.Condition;
import io.posbias.score.gate.GateReport;
import io.posbias.score.gate.PairedGate;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.StoredCell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * Test assertions on position bias for any test framework. They throw {@link AssertionError} with the table of {@code
 * posbias eval}.
 *
 * <p>{@link #assertNoBiasDetected} and {@link #assertNotWorseThan} fail on differences beyond noise alone; {@link
 * #assertNoPositionBias} and {@link #assertEquivalentPositions} also fail if the data are insufficient.
 */
public final class PositionAssertions {
    private PositionAssertions() {}

    /**
     * Passes if position bias was excluded: positions do not differ, with a noise floor of PSI of at most {@value
     * TestOutcome#SEEN}, or the same evidence loses nothing at the back, or the model is position-blind.
     *
     * @throws AssertionError if positions differ, the data are insufficient, or the benchmark has no evidence
     *     positions
     */
    public static void assertNoPositionBias(PositionReport report) {
        require(report, Verdict::isSound);
    }

    /**
     * Passes unless a difference between positions was found; insufficient data pass, unlike in {@link
     * #assertNoPositionBias}. Without fixed content the difference may come from content, as the message explains.
     *
     * @throws AssertionError if positions differ, or the benchmark has no evidence positions
     */
    public static void assertNoBiasDetected(PositionReport report) {
        require(report, word -> word.isSound() || isUndecided(report));
    }

    /**
     * Passes if front and back are equivalent: the interval of the net loss at the back lies within 2 % of 0, as for the verdict
     * {@code even} with fixed content.
     *
     * @throws AssertionError if the loss may be larger, there are too few clusters, or the content was not held fixed
     */
    public static void assertEquivalentPositions(PositionReport report) {
        assertEquivalentPositions(report, TestOutcome.EQUIVALENCE);
    }

    /**
     * Passes if the interval of the net loss at the back lies within a margin of 0.
     *
     * @param margin above 0 and below 1, for example 0.05 for losses from -5 % to 5 %
     * @throws AssertionError if the loss may be larger, there are too few clusters, or the content was not held fixed
     */
    public static void assertEquivalentPositions(PositionReport report, double margin) {
        if (!(margin > 0 && margin < 1)) {
            throw new IllegalArgumentException("margin must be above 0 and below 1, not " + margin);
        }
        String where = report.model() + " on " + report.benchmark() + ": ";
        if (!report.isContentFixed()) {
            throw new AssertionError(where + "no loss at the back: evaluate a recipe with"
                    + " EvaluationOptions.withContentFixed, or a benchmark of windows\n" + report);
        }
        PositionReport.LossAtBack loss = report.lossAtBack()
                .orElseThrow(() -> new AssertionError(where + "the loss at the back is undefined\n" + report));
        if (report.verdicts().contains(Verdict.TOO_FEW)) {
            throw new AssertionError(where + report.answer() + "\n" + report);
        }
        if (loss.low() < -margin || loss.high() > margin) {
            throw new AssertionError(where + "loss at the back " + NumberFormat.PERCENT.print(loss.value()) + " "
                    + NumberFormat.PERCENT.print(new Interval(loss.low(), loss.high())) + " is not within "
                    + NumberFormat.PERCENT.print(margin) + "\n" + report);
        }
    }

    /**
     * Passes unless PSI rose by more than 0.01, or the mean of a bucket or of all queries fell by more than 0.005, each
     * by its whole interval, as in {@code posbias gate}.
     *
     * @param baseline folder of an earlier result, written by {@link PositionReport#write}
     * @throws AssertionError if the result is worse or not comparable, or the baseline is missing
     */
    public static void assertNotWorseThan(Path baseline, PositionReport report) {
        assertNotWorseThan(baseline, report, "");
    }

    /**
     * Passes unless one of the conditions holds.
     *
     * @param failOn conditions of {@code posbias gate --fail-on}, for example {@code psi>+0.02,nDCG@10<-0.01}
     */
    public static void assertNotWorseThan(Path baseline, PositionReport report, String failOn) {
        if (!Files.exists(baseline)) {
            throw new AssertionError("no baseline at " + baseline + ": write one with report.write(Path) and keep it"
                    + " beside the test");
        }
        List<PairedGate.Versions> versions =
                List.of(new PairedGate.Versions(StoredCell.read(baseline).queries(), report.cell()));
        GateReport gate = new PairedGate(
                        failOn.isEmpty() ? PairedGate.usual(versions) : Condition.parseAll(failOn),
                        Settings.USUAL.withSeed(report.result().settings().seed()),
                        Runtime.getRuntime().availableProcessors())
                .compare(versions, List.of());
        if (!gate.passes()) {
            throw new AssertionError(gate.text(TerminalStyle.PLAIN, Detail.USUAL) + "\n" + report);
        }
    }

    private static void require(PositionReport report, Predicate<Verdict> passes) {
        if (report.verdicts().isEmpty()) {
            throw new AssertionError(report.benchmark() + " has no evidence positions");
        }
        if (!report.verdicts().stream().allMatch(passes)) {
            throw new AssertionError(report.model() + " on " + report.benchmark() + ": "
                    + Verdict.words(report.verdicts()) + ": " + report.answer() + "\n" + report);
        }
    }

    /** True if nothing was found; an open verdict without fixed content may be a difference. */
    private static boolean isUndecided(PositionReport report) {
        return report.verdicts().stream().anyMatch(Verdict::isUnsure) && !report.differs();
    }
}
