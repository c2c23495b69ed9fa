package io.posbias.report;

import io.posbias.probe.MovingCurve;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What diagnoses found, as tables and JSON. Differences of scores are printed times 1000, as the paper's Table 4 does. */
public final class DiagnoseTables {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/diagnose-result/1";

    private static final double SCALE = 1000;

    private DiagnoseTables() {}

    /** One row for each model: where the evidence scores best and worst. */
    public static Table peaks(Map<String, MovingCurve> curves, double confidence) {
        List<Table.Row> rows = new ArrayList<>();
        curves.forEach((model, curve) -> rows.add(new Table.Row(List.of(
                model,
                String.valueOf(curve.queries()),
                String.valueOf(curve.places().size()),
                String.valueOf(curve.peak()),
                String.valueOf(curve.lowest()),
                thousandths(curve.difference()),
                interval(curve.drop())))));
        return new Table(
                "Moving evidence: peak and lowest place",
                List.of(),
                List.of("model", "n", "places", "peak", "lowest", "difference x 1000", "interval"),
                rows,
                List.of(
                        "interval: " + Numbers.percent(confidence) + ", paired t, of these two places; they were chosen"
                                + " by their means, so the difference is never below 0 and no test is shown",
                        "place 1: the evidence comes first; last place: it comes last"));
    }

    /** The curve of one model. */
    public static Table places(String model, MovingCurve curve, double confidence) {
        List<Table.Row> rows = new ArrayList<>();
        for (MovingCurve.Place place : curve.places()) {
            List<String> row = new ArrayList<>(List.of(
                    String.valueOf(place.number()),
                    score(place.mean()),
                    place.estimate() == null
                            ? Numbers.NONE
                            : score(place.estimate().interval())));
            row.addAll(
                    place.number() == 1 ? none() : change(curve.againstFirst().get(place.number() - 2)));
            rows.add(new Table.Row(row));
        }
        return new Table(
                model + ": mean score by the place of the evidence",
                List.of(),
                List.of("place", "mean", "interval", "less place 1, x 1000", "its interval", "p"),
                rows,
                List.of("intervals: " + Numbers.percent(confidence)
                        + ", t; less place 1: paired by query, p without correction for the number of places"));
    }

    /** All curves in full precision, a row for each model and place. */
    public static Table tidy(Map<String, MovingCurve> curves) {
        List<Table.Row> rows = new ArrayList<>();
        curves.forEach((model, curve) -> curve.places().forEach(place -> {
            List<String> row = new ArrayList<>(List.of(
                    model,
                    String.valueOf(place.number()),
                    String.valueOf(curve.queries()),
                    String.valueOf(place.mean())));
            row.addAll(Plain.ends(
                    place.estimate() == null ? null : place.estimate().interval()));
            row.addAll(Plain.estimate(
                    place.number() == 1
                            ? null
                            : curve.againstFirst().get(place.number() - 2).difference()));
            rows.add(new Table.Row(row));
        }));
        return new Table(
                "",
                List.of(),
                List.of(
                        "model",
                        "place",
                        "n",
                        "mean",
                        "interval_low",
                        "interval_high",
                        "less_place_1",
                        "less_place_1_low",
                        "less_place_1_high",
                        "p_value"),
                rows,
                List.of());
    }

    /** What each change of the documents does, for all models. */
    public static Table changes(Map<String, ProbeResult> results, double confidence) {
        List<Table.Row> rows = new ArrayList<>();
        results.forEach((model, result) -> result.tests().forEach(test -> {
            List<String> row = new ArrayList<>(
                    List.of(model, test.probe(), String.valueOf(test.n()), score(test.first()), score(test.second())));
            row.addAll(change(test));
            rows.add(new Table.Row(row));
        }));
        return new Table(
                "Needle: change of the score when documents change",
                List.of(),
                List.of("model", "change", "n", "changed", "unchanged", "difference x 1000", "interval", "p"),
                rows,
                List.of(
                        "interval: " + Numbers.percent(confidence)
                                + ", paired t; p without correction for the number of changes",
                        "evidence kept: only documents whose evidence is not in the third that was taken out"));
    }

    private static List<String> none() {
        return List.of(Numbers.NONE, Numbers.NONE, Numbers.NONE);
    }

    /** Difference, interval and p of a test. */
    private static List<String> change(PairTest test) {
        Estimate difference = test.difference();
        return difference == null
                ? List.of(thousandths(test.first() - test.second()), Numbers.NONE, Numbers.NONE)
                : List.of(thousandths(difference.value()), interval(difference), Numbers.pValue(difference.pValue()));
    }

    private static String interval(@Nullable Estimate estimate) {
        return estimate == null
                ? Numbers.NONE
                : "[" + thousandths(estimate.interval().low()) + ", "
                        + thousandths(estimate.interval().high()) + "]";
    }

    /** Adding 0 turns a negative zero into a plain one. */
    private static String thousandths(double value) {
        double rounded = Math.rint(SCALE * value * 10) / 10 + 0.0;
        return String.format(Locale.ROOT, rounded == 0 ? "%.1f" : "%+.1f", rounded);
    }

    private static String score(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    private static String score(Interval interval) {
        return "[" + score(interval.low()) + ", " + score(interval.high()) + "]";
    }

    /** A curve for {@link #document}, its numbers as they are, not times 1000. */
    public static Map<String, Object> fields(MovingCurve curve) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("queries", curve.queries());
        map.put("peak", curve.peak());
        map.put("lowest", curve.lowest());
        map.put("peak_minus_lowest", curve.difference());
        Estimate drop = curve.drop();
        if (drop != null) {
            map.put("interval", List.of(drop.interval().low(), drop.interval().high()));
        }
        map.put("places", curve.places().stream().map(DiagnoseTables::toMap).toList());
        map.put("tests", curve.againstFirst().stream().map(ProbeFiles::toMap).toList());
        return Map.of("moving", map);
    }

    private static Map<String, Object> toMap(MovingCurve.Place place) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("place", place.number());
        map.put("mean", place.mean());
        if (place.estimate() != null) {
            Interval interval = place.estimate().interval();
            map.put("interval", List.of(interval.low(), interval.high()));
        }
        return map;
    }

    /** The changes for {@link #document}. */
    public static Map<String, Object> fields(ProbeResult result) {
        return Map.of("needle", result.tests().stream().map(ProbeFiles::toMap).toList());
    }

    /** A model's result, to be written as JSON. */
    public static Map<String, Object> document(
            String model,
            ProbeFiles.Scored by,
            String dataset,
            Map<String, String> dataSha256,
            double confidence,
            Map<String, Object> fields) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("model", model);
        by.put(document);
        document.put("dataset", dataset);
        document.put("dataset_sha256", dataSha256);
        document.put("confidence", confidence);
        document.putAll(fields);
        return document;
    }
}
