package io.posbias.gate;

import io.posbias.UsageException;
import io.posbias.gate.Check.Change;
import io.posbias.gate.Check.Outcome;
import io.posbias.result.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares results with a baseline file. A number counts as the same when it differs by at most its tolerance; a number
 * that the baseline names and the results lack is a finding, so is another number of queries.
 */
public final class Gate {
    /** Absorbs the rounding of decimal numbers: a difference of exactly the tolerance is no finding. */
    private static final double ROUNDING = 1e-12;

    private Gate() {}

    /**
     * Compares.
     *
     * @param tolerance instead of the baseline's usual one; null leaves it
     * @throws UsageException if two results are of the same model and dataset
     * @return one check for each number, and those for what is missing once, in the baseline's order
     */
    public static List<Check> compare(Baseline baseline, List<Result> results, @Nullable Double tolerance) {
        Map<Baseline.Place, Baseline.Expected> found = new HashMap<>();
        Set<String> cells = new HashSet<>();
        for (Baseline.Expected actual : Baseline.of(results, 0).numbers()) {
            if (found.put(actual.place(), actual) != null) {
                throw new UsageException("two results of " + actual.place().cell() + ": give one");
            }
            cells.add(actual.place().cell());
        }
        List<Check> checks = new ArrayList<>();
        Set<String> missingCells = new HashSet<>();
        for (Baseline.Expected expected : baseline.numbers()) {
            String cell = expected.place().cell();
            Baseline.Expected actual = found.get(expected.place());
            if (actual != null) {
                double usual = tolerance == null ? baseline.tolerance() : tolerance;
                compare(expected, actual, expected.tolerance() == null ? usual : expected.tolerance(), checks);
            } else if (cells.contains(cell)) {
                checks.add(check(expected, Outcome.MISSING, "missing: " + expected.place(), null));
            } else if (missingCells.add(cell)) {
                checks.add(new Check(cell, "result", Outcome.MISSING, "missing: " + cell + ": no result", null));
            }
        }
        return checks;
    }

    private static Check check(Baseline.Expected expected, Outcome outcome, String line, @Nullable Change change) {
        return new Check(expected.place().cell(), expected.place().withinCell(), outcome, line, change);
    }

    private static void compare(
            Baseline.Expected expected, Baseline.Expected actual, double allowed, List<Check> checks) {
        Change change = new Change(expected.value(), actual.value(), null);
        if (expected.queries() != null && !expected.queries().equals(actual.queries())) {
            String line = "queries: " + expected.place() + ": " + actual.queries() + ", baseline " + expected.queries();
            checks.add(check(expected, Outcome.CHANGED, line, null));
        }
        Double was = expected.value();
        Double is = actual.value();
        if (was == null || is == null) {
            boolean same = was == null && is == null;
            String line =
                    (same ? "same: " : "changed: ") + expected.place() + ": " + text(is) + ", baseline " + text(was);
            checks.add(check(expected, same ? Outcome.SAME : Outcome.CHANGED, line, change));
            return;
        }
        double difference = is - was;
        Outcome outcome = outcome(expected.place().number(), difference, allowed);
        String line = String.format(
                Locale.ROOT,
                "%s: %s: %s, baseline %s (%+.4f, tolerance %s)",
                outcome,
                expected.place(),
                text(is),
                text(was),
                difference,
                allowed);
        checks.add(check(expected, outcome, line, change));
    }

    private static Outcome outcome(String number, double difference, double allowed) {
        if (Math.abs(difference) <= allowed + ROUNDING) {
            return Outcome.SAME;
        }
        return (number.equals("psi") || number.equals(Baseline.CPSI)) == difference < 0
                ? Outcome.BETTER
                : Outcome.WORSE;
    }

    private static String text(@Nullable Double value) {
        return value == null ? "undefined" : String.format(Locale.ROOT, "%.4f", value);
    }
}
