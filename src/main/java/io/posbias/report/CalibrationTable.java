package io.posbias.report;

import io.posbias.Json;
import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.probe.PairTest;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was planted in reference encoders against what was found: on a benchmark, and in probes. */
public final class CalibrationTable {
    private static final String SCHEMA = "posbias/calibration/1";
    private static final String FAILED = "FAILED";

    private CalibrationTable() {}

    /**
     * One reference encoder.
     *
     * @param planted the kind of its bias
     * @param strength of the bias; null for kinds without strengths
     * @param found the strength that probes give
     * @param profile what its rankings gave
     * @param reversal contrast of queries whose evidence came to the front and to the back when passages were reversed
     * @param reversalExpected its sign as it was planted, as in {@link Effect}
     * @param rankingsPass whether verdict and contrast are those planted
     * @param effects of all comparisons of all probes
     * @param probesPass whether these and the strength found fit what was planted
     */
    public record Row(
            String planted,
            @Nullable Double strength,
            double found,
            Profile profile,
            Estimate reversal,
            String reversalExpected,
            boolean rankingsPass,
            List<Effect> effects,
            boolean probesPass) {
        /** Copies the list. */
        public Row {
            effects = List.copyOf(effects);
        }
    }

    /**
     * A comparison of a probe.
     *
     * @param test what was found
     * @param expected the sign that was planted: + - 0, ~ for noise about 0, ? for anything
     * @param passes whether the one fits the other
     */
    public record Effect(PairTest test, String expected, boolean passes) {}

    /**
     * What rankings say of the encoders.
     *
     * @param rows at least one
     * @param notes lines below it
     */
    public static Table rankings(List<Row> rows, List<String> notes) {
        List<String> header = List.of(
                "bias", "strength", "PSI", "95% interval", "noise95", "p", "slope", "verdict", "reversal", "check");
        Profile first = rows.getFirst().profile();
        List<String> lines = new ArrayList<>();
        lines.add("slope: points gained from the very front to the very end, on " + first.queries() + " queries;"
                + " noise95: PSI that 95% of random deals stay below");
        lines.add("reversal: points gained by queries whose evidence came to the front when passages were reversed,"
                + " less by those whose went back");
        lines.add("behind it what was planted: + - 0, ~ noise about 0");
        lines.addAll(notes);
        return new Table(
                "Calibration, " + first.measure() + ": planted bias against found",
                List.of(new Table.Group("planted", 2), new Table.Group("found", 7), new Table.Group("", 1)),
                header,
                rows.stream().map(CalibrationTable::ranking).toList(),
                lines);
    }

    private static Table.Row ranking(Row row) {
        Profile profile = row.profile();
        Direction direction = profile.direction();
        Interval interval = profile.psi().interval();
        return new Table.Row(List.of(
                row.planted(),
                strength(row),
                Numbers.fraction(profile.psi().value()),
                interval == null ? Numbers.NONE : Numbers.fraction(interval),
                Numbers.fraction(profile.psi().noise95()),
                Numbers.pValue(profile.psi().pValue()),
                Numbers.signedPoints(
                        direction == null ? null : direction.slope().value()),
                direction == null || direction.verdict() == null
                        ? Numbers.NONE
                        : direction.verdict().toString(),
                Numbers.signedPoints(row.reversal().value()) + " " + row.reversalExpected(),
                row.rankingsPass() ? "ok" : FAILED));
    }

    private static String strength(Row row) {
        Double strength = row.strength();
        return strength == null ? Numbers.NONE : String.format(Locale.ROOT, "%.2f", strength);
    }

    /**
     * What probes say of the encoders.
     *
     * @param rows at least one
     * @param shown names of columns, by probe and comparison with a space between
     * @param notes lines below it
     */
    public static Table probes(List<Row> rows, Map<String, String> shown, List<String> notes) {
        List<String> header = new ArrayList<>(List.of("bias", "strength", "found"));
        header.addAll(shown.values());
        header.add("check");
        int queries = rows.getFirst().effects().getFirst().test().n();
        List<String> lines = new ArrayList<>();
        lines.add("mean difference of scores over " + queries
                + " queries; behind it what was planted: + - 0, ~ noise about 0, ? anything");
        lines.addAll(notes);
        return new Table(
                "Calibration, probes: planted bias against found",
                List.of(
                        new Table.Group("planted", 2),
                        new Table.Group("", 1),
                        new Table.Group("first less second score", shown.size()),
                        new Table.Group("", 1)),
                header,
                rows.stream().map(row -> probed(row, shown)).toList(),
                lines);
    }

    private static Table.Row probed(Row row, Map<String, String> shown) {
        List<String> cells = new ArrayList<>();
        cells.add(row.planted());
        cells.add(strength(row));
        cells.add(decimals("%.2f", row.found(), 100));
        for (String key : shown.keySet()) {
            cells.add(row.effects().stream()
                    .filter(effect -> key(effect).equals(key))
                    .findFirst()
                    .map(CalibrationTable::cell)
                    .orElse(Numbers.NONE));
        }
        cells.add(row.probesPass() ? "ok" : FAILED);
        return new Table.Row(cells);
    }

    private static String key(Effect effect) {
        return effect.test().probe() + " " + effect.test().comparison();
    }

    private static String cell(Effect effect) {
        Estimate difference = effect.test().difference();
        String found = difference == null ? Numbers.NONE : decimals("%+.3f", difference.value(), 1_000);
        return found + " " + effect.expected() + (effect.passes() ? "" : "!");
    }

    /** Negative zero, as float sums in another order give it, prints as zero. */
    private static String decimals(String format, double value, int parts) {
        return String.format(Locale.ROOT, format, Math.round(value * parts) / (double) parts);
    }

    /**
     * The same as a JSON document in UTF-8, with all comparisons.
     *
     * @param seed of all that was made up
     * @param confidence of intervals
     */
    public static byte[] toBytes(
            long seed, double confidence, List<Row> rows, List<String> notes, List<String> failures) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("seed", seed);
        document.put("confidence", confidence);
        document.put("passed", failures.isEmpty());
        document.put("failures", failures);
        document.put("false_alarms", notes);
        document.put("references", rows.stream().map(CalibrationTable::toMap).toList());
        return Json.toBytes(document);
    }

    private static Map<String, @Nullable Object> toMap(Row row) {
        Direction direction = row.profile().direction();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("planted", row.planted());
        map.put("strength", row.strength());
        map.put("found", row.found());
        map.put("measure", row.profile().measure());
        map.put("psi", row.profile().psi().value());
        map.put("psi_p_value", row.profile().psi().pValue());
        map.put("slope", direction == null ? null : direction.slope().value());
        map.put(
                "verdict",
                direction == null || direction.verdict() == null
                        ? null
                        : direction.verdict().toString());
        map.put("reversal", ProfileFields.estimate(row.reversal()));
        map.put("reversal_expected", row.reversalExpected());
        map.put("rankings_pass", row.rankingsPass());
        map.put("probes_pass", row.probesPass());
        map.put("probes", row.effects().stream().map(CalibrationTable::toMap).toList());
        return map;
    }

    private static Map<String, @Nullable Object> toMap(Effect effect) {
        Map<String, @Nullable Object> map = ProbeFiles.toMap(effect.test());
        map.put("expected", effect.expected());
        map.put("passes", effect.passes());
        return map;
    }
}
