package io.posbias.gate;

import io.posbias.UsageException;
import io.posbias.report.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares results with a baseline. A number counts as the same when it differs by at most its tolerance; a number that
 * the baseline names and the results lack is a finding, so is another number of queries.
 */
public final class Gate {
    /** Absorbs the rounding of decimal numbers: a difference of exactly the tolerance is no finding. */
    private static final double ROUNDING = 1e-12;

    private Gate() {}

    /**
     * A number that is not what the baseline says.
     *
     * @param line one line for people
     * @param better whether the number moved the welcome way: a higher mean or a lower PSI
     */
    public record Finding(String line, boolean better) {}

    /**
     * Compares.
     *
     * @param tolerance instead of the baseline's usual one; null leaves it
     * @throws UsageException if two results are of the same model and dataset
     * @return what differs, in the baseline's order; empty when nothing does
     */
    public static List<Finding> compare(Baseline baseline, List<Result> results, @Nullable Double tolerance) {
        Map<Baseline.Place, Baseline.Expected> found = new HashMap<>();
        Set<String> cells = new HashSet<>();
        for (Baseline.Expected actual : Baseline.of(results, 0).numbers()) {
            if (found.put(actual.place(), actual) != null) {
                throw new UsageException("two results of " + actual.place().cell() + ": give one");
            }
            cells.add(actual.place().cell());
        }
        List<Finding> findings = new ArrayList<>();
        Set<String> missingCells = new HashSet<>();
        for (Baseline.Expected expected : baseline.numbers()) {
            String cell = expected.place().cell();
            Baseline.Expected actual = found.get(expected.place());
            if (actual != null) {
                double usual = tolerance == null ? baseline.tolerance() : tolerance;
                compare(expected, actual, expected.tolerance() == null ? usual : expected.tolerance(), findings);
            } else if (cells.contains(cell)) {
                findings.add(new Finding("missing: " + expected.place(), false));
            } else if (missingCells.add(cell)) {
                findings.add(new Finding("missing: " + cell + ": no result", false));
            }
        }
        return findings;
    }

    private static void compare(
            Baseline.Expected expected, Baseline.Expected actual, double allowed, List<Finding> findings) {
        if (expected.queries() >= 0 && expected.queries() != actual.queries()) {
            findings.add(new Finding(
                    "queries: " + expected.place() + ": " + actual.queries() + ", baseline " + expected.queries(),
                    false));
        }
        Double was = expected.value();
        Double is = actual.value();
        if (was == null && is == null) {
            return;
        }
        if (was == null || is == null) {
            findings.add(
                    new Finding("changed: " + expected.place() + ": " + text(is) + ", baseline " + text(was), false));
            return;
        }
        double difference = is - was;
        if (Math.abs(difference) > allowed + ROUNDING) {
            boolean better = expected.place().number().equals("psi") ? difference < 0 : difference > 0;
            findings.add(new Finding(
                    String.format(
                            Locale.ROOT,
                            "%s: %s: %s, baseline %s (%+.4f, tolerance %s)",
                            better ? "better" : "worse",
                            expected.place(),
                            text(is),
                            text(was),
                            difference,
                            allowed),
                    better));
        }
    }

    private static String text(@Nullable Double value) {
        return value == null ? "undefined" : String.format(Locale.ROOT, "%.4f", value);
    }
}
