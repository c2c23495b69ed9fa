package io.posbias.api;

import io.posbias.gate.Condition;
import io.posbias.gate.GateReport;
import io.posbias.gate.PairedGate;
import io.posbias.measure.Bias;
import io.posbias.measure.Profiler;
import io.posbias.measure.Verdict;
import io.posbias.result.FinishedCell;
import io.posbias.table.Detail;
import io.posbias.table.TerminalStyle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * Assertions on position bias for tests, whatever runs them: they throw {@link AssertionError}, whose message holds the table
 * that {@code posbias eval} prints.
 *
 * <p>A test should not fail by chance: only differences beyond noise fail, by the tests behind {@link
 * PositionReport#verdict()} and {@code posbias gate}.
 */
public final class PositionAssertions {
    private PositionAssertions() {}

    /**
     * Passes where positions were shown not to matter much: a PSI of {@value Verdict#SEEN} would have been seen, and none was.
     *
     * @throws AssertionError if positions differ beyond noise, there are too few queries to tell, or no query says where its
     *     evidence is
     */
    public static void assertNoPositionBias(PositionReport report) {
        require(report, word -> word == Verdict.NONE || word == Bias.NONE);
    }

    /**
     * Passes unless a difference between positions was found: too few queries to tell pass too, which {@link
     * #assertNoPositionBias} does not allow. Where the content was not held fixed a difference may be one of content, and the
     * message says so.
     *
     * @throws AssertionError if positions differ beyond noise, or no query says where its evidence is
     */
    public static void assertNoBiasDetected(PositionReport report) {
        require(report, word -> word == Verdict.NONE || word == Bias.NONE || isUndecided(word));
    }

    /**
     * Passes unless the model got worse beyond noise: PSI up by more than 0.01, the mean of a bucket or of all queries down
     * by more than 0.005, each by its whole interval; the conditions of {@code posbias gate}.
     *
     * @param baseline the folder of an earlier result with its queries; {@link PositionReport#write} makes one
     * @throws AssertionError if it got worse, cannot be compared, or there is no baseline
     */
    public static void assertNotWorseThan(Path baseline, PositionReport report) {
        assertNotWorseThan(baseline, report, "");
    }

    /**
     * The same with conditions.
     *
     * @param failOn as {@code posbias gate --fail-on} takes them, such as {@code psi>+0.02,nDCG@10<-0.01},
     *     {@code loss>+2%} or {@code any}
     */
    public static void assertNotWorseThan(Path baseline, PositionReport report, String failOn) {
        if (!Files.exists(baseline)) {
            throw new AssertionError("no baseline at " + baseline + ": write one with report.write(Path) and keep it"
                    + " beside the test");
        }
        List<Condition> conditions =
                failOn.isEmpty() ? PairedGate.usual(List.of(report.result())) : Condition.parseAll(failOn);
        GateReport gate = new PairedGate(
                        conditions,
                        Profiler.DRAWS,
                        report.result().settings().seed(),
                        Profiler.CONFIDENCE,
                        Runtime.getRuntime().availableProcessors())
                .compare(
                        List.of(new PairedGate.Versions(
                                FinishedCell.read(baseline).queries(), report.cell())),
                        List.of());
        if (!gate.passes()) {
            throw new AssertionError(gate.text(TerminalStyle.PLAIN, Detail.USUAL) + "\n" + report);
        }
    }

    private static void require(PositionReport report, Predicate<Enum<?>> passes) {
        Enum<?> word = report.word();
        if (word == null) {
            throw new AssertionError(
                    report.benchmark() + " does not say where the evidence is: there are no positions to" + " compare");
        }
        if (!passes.test(word)) {
            throw new AssertionError(report.model() + " on " + report.benchmark() + ": " + word + ": "
                    + report.meaning() + "\n" + report);
        }
    }

    private static boolean isUndecided(Enum<?> word) {
        return word == Verdict.UNDECIDED || word == Bias.UNDECIDED || word == Verdict.TOO_FEW || word == Bias.TOO_FEW;
    }
}
