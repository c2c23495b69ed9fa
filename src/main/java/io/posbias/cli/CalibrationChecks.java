package io.posbias.cli;

import io.posbias.cli.Calibration.Finding;
import io.posbias.encode.ReferenceEncoder.Shape;
import io.posbias.measure.Profiler;
import io.posbias.measure.Verdict;
import io.posbias.probe.PairTest;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Whether what was found is what was planted; each failed check is one line. */
final class CalibrationChecks {
    /** What float sums in another order may differ by; the weakest bias moves a score a thousand times as much. */
    private static final double ROUNDING = 1e-5;

    /** False alarms may be so many that chance alone gives more in fewer runs than this. */
    private static final double CHANCE = 0.02;

    private static final double LEVEL = 1 - Profiler.CONFIDENCE;
    private static final int MIDDLE = (Calibration.PLACES + 1) / 2;

    private CalibrationChecks() {}

    /** All that is wrong: each encoder by itself, the order of strengths, and the unbiased one's false alarms. */
    static List<String> failures(List<Finding> findings, List<Verdict> repeats) {
        List<String> failures = new ArrayList<>();
        findings.forEach(finding -> failures.addAll(failures(finding)));
        failures.addAll(order(findings));
        int alarms = alarms(repeats);
        int allowed = allowed(repeats.size());
        if (alarms > allowed) {
            failures.add("flat: a bias was seen on " + alarms + " of " + repeats.size() + " benchmarks; at most "
                    + allowed + " are allowed");
        }
        return failures;
    }

    /** What is wrong with one encoder: the verdict on its rankings, and the sign of the moving probe. */
    static List<String> failures(Finding finding) {
        List<String> failures = new ArrayList<>();
        if (!expected(finding.planted().shape()).contains(finding.verdict())) {
            failures.add(finding.planted() + ": the verdict is " + finding.verdict());
        }
        if (!moves(finding)) {
            failures.add(finding.planted()
                    + ": moving the sentence from first to middle and last place changes its score by "
                    + mean(finding.moved(MIDDLE)) + " and " + mean(finding.moved(Calibration.PLACES)));
        }
        return failures;
    }

    private static List<Verdict> expected(Shape shape) {
        return switch (shape) {
            case FLAT -> List.of(Verdict.NONE, Verdict.UNDECIDED);
            case PRIMACY -> List.of(Verdict.PRIMACY);
            case RECENCY -> List.of(Verdict.RECENCY);
            case MIDDLE -> List.of(Verdict.MIDDLE);
        };
    }

    /** An unbiased bag of words does not see the order of sentences at all; others must move beyond noise. */
    private static boolean moves(Finding finding) {
        PairTest middle = finding.moved(MIDDLE);
        PairTest last = finding.moved(Calibration.PLACES);
        return switch (finding.planted().shape()) {
            case FLAT -> finding.moving().stream().allMatch(test -> Math.abs(mean(test)) < ROUNDING);
            case PRIMACY -> sign(last) < 0;
            case RECENCY -> sign(last) > 0;
            case MIDDLE -> sign(middle) > 0 && mean(middle) > mean(last);
        };
    }

    private static double mean(PairTest test) {
        return Objects.requireNonNull(test.difference()).value();
    }

    /** -1 or 1 beyond noise, else 0. */
    private static double sign(PairTest test) {
        Estimate difference = Objects.requireNonNull(test.difference());
        return difference.pValue() < LEVEL ? Math.signum(difference.value()) : 0;
    }

    /** PSI grows with the strength of each kind. */
    private static List<String> order(List<Finding> findings) {
        List<String> failures = new ArrayList<>();
        Map<Shape, Finding> weaker = new LinkedHashMap<>();
        for (Finding finding : findings) {
            Finding before = weaker.put(finding.planted().shape(), finding);
            if (before != null && !(psi(finding) > psi(before))) {
                failures.add(finding.planted() + ": PSI is " + psi(finding) + ", no more than " + psi(before) + " of "
                        + before.planted());
            }
        }
        return failures;
    }

    /** NaN where all buckets scored 0, which is not more than any and so fails the order. */
    private static double psi(Finding finding) {
        Double psi = finding.profile().psi().value();
        return psi == null ? Double.NaN : psi;
    }

    /** How many verdicts on an unbiased encoder claim a bias. */
    static int alarms(List<Verdict> repeats) {
        return (int) repeats.stream()
                .filter(verdict -> !expected(Shape.FLAT).contains(verdict))
                .count();
    }

    /**
     * How many false alarms pass: the least number that a binomial count at level 5 % exceeds with a probability below
     * 2 %; 5 of 40.
     */
    static int allowed(int repeats) {
        double probability = Math.pow(1 - LEVEL, repeats);
        double upTo = probability;
        int allowed = 0;
        while (1 - upTo >= CHANCE) {
            probability *= (repeats - allowed) * LEVEL / ((allowed + 1) * (1 - LEVEL));
            upTo += probability;
            allowed++;
        }
        return allowed;
    }
}
