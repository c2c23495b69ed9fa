package io.posbias.study.calibrate;

import io.posbias.base.stats.Estimate;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.calibrate.ExpectedEffects.Effect;
import io.posbias.study.calibrate.FullCalibration.Finding;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.probe.PairTest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

public final class CalibrationChecks {
    /** What float sums in another order may differ by, in parts of a score; the weakest bias moves 3 %. */
    private static final double ROUNDING = 1e-5;

    /** Sums of signs tie often, and rounding decides who comes first; the weakest bias moves the contrast by 0.14. */
    private static final double REVERSAL_ROUNDING = 0.01;

    private static final double LEVEL = 1 - Settings.USUAL.confidence();

    /** For comparisons without effect, 29 in all: by chance one of them fails in at most 1.5 % of runs. */
    private static final double NULL_LEVEL = 0.0005;

    /** How far the strength found may be from the one planted: noise, and this part of it. */
    private static final double STRENGTH_NOISE = 0.1;

    private static final double STRENGTH_PART = 0.1;

    private CalibrationChecks() {}

    public static List<String> failures(List<Finding> findings, List<FalseAlarms> alarms) {
        List<String> failures = new ArrayList<>();
        for (Finding finding : findings) {
            failures.addAll(rankings(finding));
            failures.addAll(probes(finding));
        }
        failures.addAll(order(findings, "PSI", CalibrationChecks::psi));
        failures.addAll(
                order(findings, "the strength found", found -> FoundStrength.of(found.planted(), found.probes())));
        alarms.stream()
                .filter(alarm -> !alarm.passes())
                .map(FalseAlarms::failure)
                .forEach(failures::add);
        return failures;
    }

    public static List<String> rankings(Finding finding) {
        List<String> failures = new ArrayList<>();
        ReferenceSpec planted = finding.planted();
        Shape shape = planted.kind().shape();
        boolean differs = Calibration.verdict(finding.profile()) == TestOutcome.DIFFER;
        if (planted.kind() != ReferenceKind.MAX_P && differs == (shape == Shape.FLAT)) {
            failures.add(planted + ": the profile's verdict is " + Calibration.verdict(finding.profile()));
        }
        if (!Calibration.CalibrationCheck.isExpected(shape, finding.fixed())) {
            failures.add(planted + ": with the content held fixed the verdict is "
                    + finding.fixed().outcome());
        }
        Effect effect = ExpectedEffects.forFront(planted);
        Estimate reversal = finding.reversal();
        // Scores that no reversal changes have no variance to test: what a bag of words must show, and nobody else.
        if (reversal == null ? effect != Effect.ZERO : !holds(effect, reversal, REVERSAL_ROUNDING)) {
            failures.add(planted + ": the contrast of reversed passages must be " + effect.words() + " and is "
                    + found(reversal));
        }
        return failures;
    }

    public static List<String> probes(Finding finding) {
        return Stream.concat(effects(finding), strength(finding)).toList();
    }

    private static Stream<String> effects(Finding finding) {
        return finding.probes().stream()
                .filter(test -> !holds(finding.planted(), test))
                .map(test -> finding.planted() + ": " + test.probe() + " " + test.comparison() + " must be "
                        + effect(finding.planted(), test).words() + " and is " + found(test.difference()));
    }

    private static Stream<String> strength(Finding finding) {
        double planted = finding.planted().strength();
        double found = FoundStrength.of(finding.planted(), finding.probes());
        boolean near = Math.abs(found - planted) <= STRENGTH_NOISE + STRENGTH_PART * planted;
        return near
                ? Stream.of()
                : Stream.of(String.format(
                        Locale.ROOT,
                        "%s: the strength found is %.3f, planted is %.2f",
                        finding.planted(),
                        found,
                        planted));
    }

    public static Effect effect(ReferenceSpec planted, PairTest test) {
        return ExpectedEffects.of(planted, test.probe().name(), test.comparison());
    }

    private static String found(@Nullable Estimate difference) {
        return difference == null
                ? "unknown"
                : String.format(Locale.ROOT, "%+.6f (p %.4f)", difference.value(), difference.pValue());
    }

    public static boolean holds(ReferenceSpec planted, PairTest test) {
        Estimate difference = test.difference();
        if (difference == null) {
            return false;
        }
        double rounding = ROUNDING * Math.max(Math.abs(test.firstMean()), Math.abs(test.secondMean()));
        return holds(effect(planted, test), difference, rounding);
    }

    private static boolean holds(Effect effect, Estimate found, double rounding) {
        boolean significant = found.pValue() < LEVEL;
        return switch (effect) {
            case MORE -> significant && found.value() > rounding;
            case LESS -> significant && found.value() < -rounding;
            case ZERO -> Math.abs(found.value()) <= rounding;
            case NOISE -> found.pValue() >= NULL_LEVEL || Math.abs(found.value()) <= rounding;
            case OPEN -> true;
        };
    }

    private static List<String> order(List<Finding> findings, String what, ToDoubleFunction<Finding> number) {
        List<String> failures = new ArrayList<>();
        Map<ReferenceKind, Finding> weaker = new EnumMap<>(ReferenceKind.class);
        for (Finding finding : findings) {
            if (what.equals("PSI") && finding.planted().kind().shape() == Shape.FLAT) {
                continue;
            }
            Finding before = weaker.put(finding.planted().kind(), finding);
            if (before != null && !(number.applyAsDouble(finding) > number.applyAsDouble(before))) {
                failures.add(finding.planted() + ": " + what + " is " + number.applyAsDouble(finding)
                        + ", no more than " + number.applyAsDouble(before) + " of " + before.planted());
            }
        }
        return failures;
    }

    /** NaN where all buckets scored 0, which is not more than any and so fails the order. */
    private static double psi(Finding finding) {
        Double psi = finding.profile().psi().value();
        return psi == null ? Double.NaN : psi;
    }
}
