package io.posbias.calibrate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.diagnose.PositionTables;
import io.posbias.measure.Bias;
import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.measure.Profiler;
import io.posbias.measure.Verdict;
import io.posbias.probe.PairTest;
import io.posbias.stats.Estimate;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What was planted in reference encoders against what was found on a benchmark and in probes, as it is printed. */
public final class CalibrationReport {
    private static final String FAILED = "FAILED";

    private CalibrationReport() {}

    /**
     * What is printed as JSON.
     *
     * @param seed of all that was made up
     * @param confidence of intervals
     * @param passed whether no check failed
     * @param failures of the checks, a line each
     * @param falseAlarms a line for each kind
     * @param references at least one
     * @param strategies around some of them
     */
    public record Document(
            String schema,
            long seed,
            double confidence,
            boolean passed,
            List<String> failures,
            List<String> falseAlarms,
            List<Reference> references,
            List<Strategy> strategies) {}

    /**
     * A strategy around an encoder, or around BM25.
     *
     * @param planted the kind of bias, or {@code bm25}
     * @param strength of the bias; null where there is none
     * @param strategy with its settings
     * @param expected what must become of the bias
     */
    public record Strategy(
            String planted,
            @Nullable Double strength,
            String strategy,
            PlantedStrategies.Change expected,
            Side before,
            Side after,
            boolean passes) {}

    /** Without a strategy, or with it. */
    public record Side(
            @Nullable Double mean,
            @Nullable Double psi,
            @JsonProperty("psi_p_value") @Nullable Double pValue) {
        private static Side of(Profile profile) {
            return new Side(
                    profile.queryMean(), profile.psi().value(), profile.psi().pValue());
        }
    }

    /**
     * One reference encoder.
     *
     * @param planted the kind of its bias
     * @param strength of the bias; null for kinds without strengths
     * @param found the strength that probes give
     * @param profile what its rankings gave, whose numbers follow
     * @param ends front minus back where the content stays the same
     * @param bias the verdict on that
     * @param reversal contrast of queries whose evidence came to the front and to the back when passages were reversed
     * @param reversalExpected its sign as it was planted, as in {@link ExpectedEffects.Effect}
     * @param rankingsPass whether verdict and contrast are those planted
     * @param probesPass whether probes and the strength found fit what was planted
     * @param probes all comparisons of all probes
     */
    public record Reference(
            String planted,
            @Nullable Double strength,
            double found,
            @JsonIgnore Profile profile,
            String measure,
            @Nullable Double psi,
            @JsonProperty("psi_p_value") @Nullable Double psiPValue,
            @Nullable Double slope,
            @Nullable Verdict verdict,
            @JsonProperty("content_fixed_front_minus_back") Estimate ends,
            @JsonProperty("content_fixed_verdict") Bias bias,
            Estimate reversal,
            String reversalExpected,
            boolean rankingsPass,
            boolean probesPass,
            List<Comparison> probes) {}

    /**
     * A comparison of a probe.
     *
     * @param test what was found
     * @param expected the sign that was planted: + - 0, ~ for noise about 0, ? for anything
     * @param passes whether the one fits the other
     */
    public record Comparison(@JsonUnwrapped PairTest test, String expected, boolean passes) {}

    /** Everything, with all comparisons. */
    public static Document document(Calibration.Outcome outcome, List<String> failures) {
        return new Document(
                "posbias/calibration/1",
                outcome.seed(),
                Profiler.CONFIDENCE,
                failures.isEmpty(),
                failures,
                notes(outcome, alarms -> true),
                references(outcome),
                outcome.strategies().stream().map(CalibrationReport::strategy).toList());
    }

    private static Strategy strategy(PlantedStrategies.Row row) {
        return new Strategy(
                row.planted(),
                row.strength(),
                row.strategy(),
                row.expected(),
                Side.of(row.before()),
                Side.of(row.after()),
                row.passes());
    }

    private static List<Reference> references(Calibration.Outcome outcome) {
        return outcome.findings().stream().map(CalibrationReport::reference).toList();
    }

    private static Reference reference(Calibration.Finding finding) {
        ReferenceSpec planted = finding.planted();
        Profile profile = finding.profile();
        Direction direction = profile.direction();
        return new Reference(
                planted.kind().toString(),
                planted.kind().isGraded() ? planted.strength() : null,
                FoundStrength.of(planted, finding.probes()),
                profile,
                profile.measure(),
                profile.psi().value(),
                profile.psi().pValue(),
                direction == null ? null : (Double) direction.slope().value(),
                direction == null ? null : direction.verdict(),
                finding.fixed().frontMinusBack(),
                finding.fixed().verdict(),
                finding.reversal(),
                ExpectedEffects.forFront(planted).toString(),
                CalibrationChecks.rankings(finding).isEmpty(),
                CalibrationChecks.probes(finding).isEmpty(),
                finding.probes().stream()
                        .map(test -> new Comparison(
                                test,
                                CalibrationChecks.effect(planted, test).toString(),
                                CalibrationChecks.holds(planted, test)))
                        .toList());
    }

    private static List<String> notes(Calibration.Outcome outcome, Predicate<FalseAlarms> which) {
        return outcome.alarms().stream().filter(which).map(FalseAlarms::note).toList();
    }

    /** What rankings say, what probes say, and what strategies change. */
    public static List<Table> tables(Calibration.Outcome outcome) {
        List<Reference> rows = references(outcome);
        return List.of(
                rankings(rows, notes(outcome, FalseAlarms::areVerdicts)),
                probes(rows, notes(outcome, alarms -> !alarms.areVerdicts())),
                strategies(
                        outcome.strategies().stream()
                                .map(CalibrationReport::strategy)
                                .toList(),
                        rows.getFirst().measure()));
    }

    private static Table strategies(List<Strategy> rows, String measure) {
        return new Sheet<Strategy>()
                .under("planted")
                .plain("bias", Strategy::planted)
                .number("strength", Unit.STRENGTH, Strategy::strength)
                .under("")
                .plain("strategy", Strategy::strategy)
                .under("without it")
                .number("mean", Unit.POINTS, row -> row.before().mean())
                .number("PSI", Unit.FRACTION, row -> row.before().psi())
                .number("p", Unit.P, row -> row.before().pValue())
                .under("with it")
                .number("mean", Unit.POINTS, row -> row.after().mean())
                .number("PSI", Unit.FRACTION, row -> row.after().psi())
                .number("p", Unit.P, row -> row.after().pValue())
                .under("")
                .plain("expected", Strategy::expected)
                .plain("check", row -> row.passes() ? "ok" : FAILED)
                .table(
                        "Calibration, " + measure + ": strategies against planted bias",
                        rows,
                        List.of("weights fall over " + PlantedStrategies.SCALE
                                + " tokens; same: the mean of every bucket is the same with the strategy"));
    }

    private static Sheet<Reference> planted() {
        return new Sheet<Reference>()
                .under("planted")
                .plain("bias", Reference::planted)
                .number("strength", Unit.STRENGTH, Reference::strength);
    }

    private static Table rankings(List<Reference> rows, List<String> notes) {
        Profile first = rows.getFirst().profile();
        List<String> lines = new ArrayList<>(List.of(
                "slope: change in points from the beginning to the end, on " + first.queries() + " queries;"
                        + " noise95: 95th percentile of PSI under random permutation",
                "content held fixed: each query with its evidence at 10 places of its own passage",
                "reversed passages: change in points of queries whose evidence moved to the front in reversed passages,"
                        + " minus those of queries whose evidence moved to the back",
                "followed by the planted sign: + - 0, ~ noise around 0"));
        lines.addAll(notes);
        return planted()
                .under("found")
                .number("PSI", Unit.FRACTION, Reference::psi)
                .interval("PSI", Unit.FRACTION, row -> row.profile().psi().interval())
                .headed("95% interval")
                .number("noise95", Unit.FRACTION, row -> row.profile().psi().noise95())
                .number("p", Unit.P, Reference::psiPValue)
                .number("slope", Unit.SIGNED_POINTS, Reference::slope)
                .plain("verdict", Reference::verdict)
                .under("content held fixed")
                .number("front - back", Unit.SIGNED_POINTS, row -> row.ends().value())
                .plain("bias", row -> PositionTables.verdict(row.bias()))
                .under("reversed passages")
                .plain(
                        "contrast",
                        row -> Unit.SIGNED_POINTS.print(row.reversal().value()) + " " + row.reversalExpected())
                .under("")
                .plain("check", row -> row.rankingsPass() ? "ok" : FAILED)
                .table("Calibration, " + first.measure() + ": planted and measured bias", rows, lines);
    }

    private static Table probes(List<Reference> rows, List<String> notes) {
        Sheet<Reference> sheet = planted()
                .under("")
                .number("found", Unit.STRENGTH, Reference::found)
                .under("first minus second score");
        shown().forEach((key, header) -> sheet.plain(
                header,
                row -> row.probes().stream()
                        .filter(comparison -> key(comparison.test()).equals(key))
                        .findFirst()
                        .map(CalibrationReport::cell)
                        .orElse(null)));
        List<String> lines = new ArrayList<>(List.of("mean difference of scores over "
                + rows.getFirst().probes().getFirst().test().n()
                + " queries; followed by the planted sign: + - 0, ~ noise around 0, ? not predicted"));
        lines.addAll(notes);
        return sheet.under("")
                .plain("check", row -> row.probesPass() ? "ok" : FAILED)
                .table("Calibration, probes: planted and measured bias", rows, lines);
    }

    private static String key(PairTest test) {
        return test.probe() + " " + test.comparison();
    }

    private static String cell(Comparison comparison) {
        Estimate difference = comparison.test().difference();
        String found = Unit.SIGNED_FRACTION.print(difference == null ? null : (Double) difference.value());
        return found + " " + comparison.expected() + (comparison.passes() ? "" : "!");
    }

    /** The columns of the table of probes: their headers by probe and comparison; JSON has all comparisons. */
    private static Map<String, String> shown() {
        Map<String, String> shown = new LinkedHashMap<>();
        for (String probe : List.of("answer", "brevity", "foil")) {
            shown.put(probe + " text1 - text2", probe);
        }
        shown.put("literal SS - SL", "literal");
        shown.put("moving 3 - 1", "moving 3-1");
        shown.put("moving " + PlantedProbes.PLACES + " - 1", "moving " + PlantedProbes.PLACES + "-1");
        for (String probe : List.of("needle", "poison", "position", "repetition")) {
            shown.put(probe + " text1 - text2", probe);
        }
        return shown;
    }
}
