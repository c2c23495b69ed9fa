package io.posbias.cli;

import io.posbias.cli.Calibration.Finding;
import io.posbias.cli.ExpectedEffects.Effect;
import io.posbias.cli.Planted.Kind;
import io.posbias.encode.ReferenceEncoder.Shape;
import io.posbias.measure.Profiler;
import io.posbias.measure.Verdict;
import io.posbias.probe.PairTest;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Whether what was found is what was planted; each failed check is one line. */
final class CalibrationChecks {
    /** What float sums in another order may differ by, in parts of a score; the weakest bias moves 3 %. */
    private static final double ROUNDING = 1e-5;

    private static final double LEVEL = 1 - Profiler.CONFIDENCE;

    /** For comparisons without effect, 29 in all: by chance one of them fails in at most 1.5 % of runs. */
    private static final double NULL_LEVEL = 0.0005;

    private CalibrationChecks() {}

    /** All that is wrong: each encoder by itself, the order of strengths, and the unbiased ones' false alarms. */
    static List<String> failures(List<Finding> findings, List<FalseAlarms> alarms) {
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

    /** What is wrong with the verdict on an encoder's rankings. */
    static List<String> rankings(Finding finding) {
        return expected(finding.planted().kind().shape()).contains(finding.verdict())
                ? List.of()
                : List.of(finding.planted() + ": the verdict is " + finding.verdict());
    }

    /** The verdicts that fit a bias of such a shape. */
    static List<Verdict> expected(Shape shape) {
        return switch (shape) {
            case FLAT -> List.of(Verdict.NONE, Verdict.UNDECIDED);
            case PRIMACY -> List.of(Verdict.PRIMACY);
            case RECENCY -> List.of(Verdict.RECENCY);
            case MIDDLE -> List.of(Verdict.MIDDLE);
        };
    }

    /** What is wrong with an encoder's effects in probes. */
    static List<String> probes(Finding finding) {
        return finding.probes().stream()
                .filter(test -> !holds(finding.planted(), test))
                .map(test -> finding.planted() + ": " + test.probe() + " " + test.comparison() + " must be "
                        + words(effect(finding.planted(), test)) + " and is " + found(test))
                .toList();
    }

    /** What a comparison must be. */
    static Effect effect(Planted planted, PairTest test) {
        return ExpectedEffects.of(planted, test.probe(), test.comparison());
    }

    private static String words(Effect effect) {
        return switch (effect) {
            case MORE -> "above 0";
            case LESS -> "below 0";
            case ZERO -> "0";
            case NOISE -> "noise about 0";
            case OPEN -> "anything";
        };
    }

    private static String found(PairTest test) {
        Estimate difference = test.difference();
        return difference == null
                ? "unknown"
                : String.format(Locale.ROOT, "%+.6f (p %.4f)", difference.value(), difference.pValue());
    }

    /** Whether a comparison came out as it must. */
    static boolean holds(Planted planted, PairTest test) {
        Estimate difference = test.difference();
        if (difference == null) {
            return false;
        }
        boolean significant = difference.pValue() < LEVEL;
        return switch (effect(planted, test)) {
            case MORE -> significant && difference.value() > rounding(test);
            case LESS -> significant && difference.value() < -rounding(test);
            case ZERO -> Math.abs(difference.value()) <= rounding(test);
            case NOISE -> difference.pValue() >= NULL_LEVEL || Math.abs(difference.value()) <= rounding(test);
            case OPEN -> true;
        };
    }

    private static double rounding(PairTest test) {
        return ROUNDING * Math.max(Math.abs(test.first()), Math.abs(test.second()));
    }

    /** A number grows with the strength of each kind. */
    private static List<String> order(List<Finding> findings, String what, ToDoubleFunction<Finding> number) {
        List<String> failures = new ArrayList<>();
        Map<Kind, Finding> weaker = new EnumMap<>(Kind.class);
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
