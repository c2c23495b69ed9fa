package io.posbias.report;

import io.posbias.Json;
import io.posbias.measure.EvidencePlaces;
import io.posbias.stats.Proportion;
import io.posbias.stats.Uniformity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the evidence of a benchmark lies, as a table and as JSON. */
public final class EvidenceTables {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/evidence-positions/1";

    private static final int BAR = 40;

    private EvidenceTables() {}

    /**
     * One row for each bin, then the first third, the mean and the tests.
     *
     * @param estimate who guessed the evidence; null where the benchmark says where it lies
     * @param bars whether the bins have a column of bars, the longest for the fullest
     */
    public static Table table(
            String dataset,
            EvidencePlaces places,
            @Nullable EvidenceEstimate estimate,
            double confidence,
            boolean bars) {
        List<List<String>> rows = new ArrayList<>();
        int bins = places.bins().size();
        int most = places.bins().stream().mapToInt(Proportion::hits).max().orElse(0);
        for (int bin = 0; bin < bins; bin++) {
            Proportion share = places.bins().get(bin);
            rows.add(share(percent(bin, bins) + "-" + percent(bin + 1, bins) + "%", share, bar(share.hits(), most)));
        }
        Proportion third = places.firstThird();
        Uniformity even = places.uniformity();
        rows.add(share("first third", third, ""));
        rows.add(mean("mean position", places));
        rows.add(test("chi-square, " + even.freedom() + " df", even.chiSquare(), even.chiSquarePValue(), third.n()));
        rows.add(test("Kolmogorov-Smirnov D", even.distance(), even.distancePValue(), third.n()));
        if (estimate != null && estimate.agreement() != null) {
            rows.addAll(agreement(estimate.agreement()));
        }
        int columns = bars ? 6 : 5;
        return new Table(
                "Positions of evidence in " + dataset + (estimate == null ? "" : ", estimated by " + estimate.model()),
                List.of(),
                List.of("position", "queries", "value", "interval", "p", "bar").subList(0, columns),
                rows.stream()
                        .map(cells -> new Table.Row(cells.subList(0, columns)))
                        .toList(),
                estimate == null ? notes(places, confidence) : notes(places, estimate, confidence));
    }

    private static List<List<String>> agreement(EvidenceEstimate.Agreement agreement) {
        int n = agreement.overlap().n();
        return List.of(
                share("best sentence overlaps the span", agreement.overlap(), ""),
                List.of("a random one does", String.valueOf(n), Numbers.fraction(agreement.chance()), "", "", ""),
                share("first third, by spans", agreement.spans().firstThird(), ""),
                mean("mean position, by spans", agreement.spans()));
    }

    private static List<String> notes(EvidencePlaces places, double confidence) {
        List<String> notes = legend(confidence);
        if (places.unplaced() > 0) {
            notes.add("left out, for their evidence has no position: " + places.unplaced() + " queries");
        }
        return notes;
    }

    private static List<String> legend(double confidence) {
        return new ArrayList<>(List.of(
                "position: middle of the evidence over the length of its text; value: share, mean or statistic",
                "interval: " + Numbers.percent(confidence) + ", Wilson for shares, t for the mean; p: of the null"
                        + " hypothesis that positions are uniform"));
    }

    private static List<String> notes(EvidencePlaces places, EvidenceEstimate estimate, double confidence) {
        List<String> notes = legend(confidence);
        notes.add("an estimate: the evidence of a query is the sentence of its relevant passage that "
                + estimate.model() + " scores highest");
        if (estimate.severalRelevant() > 0) {
            notes.add("queries with several relevant passages: " + estimate.severalRelevant()
                    + "; the first by identifier was taken");
        }
        if (estimate.tied() > 0) {
            notes.add("queries with several best sentences: " + estimate.tied() + "; the first was taken");
        }
        if (estimate.single() > 0) {
            notes.add("queries with a passage of one sentence, which is the estimate: " + estimate.single());
        }
        if (places.unplaced() > 0) {
            notes.add("left out, for no sentence scores above the others: " + places.unplaced() + " queries");
        }
        return notes;
    }

    private static List<String> mean(String name, EvidencePlaces places) {
        return List.of(
                name,
                String.valueOf(places.firstThird().n()),
                Numbers.fraction(places.mean()),
                Numbers.fraction(places.meanInterval()),
                "",
                "");
    }

    private static List<String> share(String name, Proportion share, String bar) {
        return List.of(
                name,
                String.valueOf(share.hits()),
                Numbers.fraction(share.share()),
                Numbers.fraction(share.interval()),
                "",
                bar);
    }

    private static List<String> test(String name, double statistic, double pValue, int n) {
        return List.of(name, String.valueOf(n), Numbers.fraction(statistic), "", Numbers.pValue(pValue), "");
    }

    private static String percent(int bin, int bins) {
        double percent = 100.0 * bin / bins;
        return String.format(Locale.ROOT, percent == Math.rint(percent) ? "%.0f" : "%.1f", percent);
    }

    private static String bar(int count, int most) {
        return "#".repeat((int) Math.round((double) BAR * count / most));
    }

    /** The same as a JSON document in UTF-8. */
    public static byte[] toBytes(
            String dataset,
            Map<String, String> sha256,
            EvidencePlaces places,
            @Nullable EvidenceEstimate estimate,
            double confidence) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("dataset", dataset);
        document.put("dataset_sha256", sha256);
        if (estimate != null) {
            document.put("estimated_by", toMap(estimate));
        }
        document.put("confidence", confidence);
        put(document, places);
        return Json.toBytes(document);
    }

    private static void put(Map<String, Object> document, EvidencePlaces places) {
        Uniformity even = places.uniformity();
        document.put("queries", places.firstThird().n());
        document.put("without_position", places.unplaced());
        document.put("bins", places.bins().stream().map(EvidenceTables::toMap).toList());
        document.put("first_third", toMap(places.firstThird()));
        document.put("mean", places.mean());
        document.put(
                "mean_interval",
                List.of(places.meanInterval().low(), places.meanInterval().high()));
        document.put("chi_square", test(even.chiSquare(), even.chiSquarePValue(), even.freedom()));
        document.put("kolmogorov_smirnov", test(even.distance(), even.distancePValue(), null));
    }

    private static Map<String, Object> toMap(EvidenceEstimate estimate) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", estimate.model());
        map.put("recipe_sha256", estimate.recipeSha256());
        map.put("several_relevant", estimate.severalRelevant());
        map.put("several_best", estimate.tied());
        map.put("one_sentence", estimate.single());
        EvidenceEstimate.Agreement agreement = estimate.agreement();
        if (agreement != null) {
            Map<String, Object> against = new LinkedHashMap<>();
            against.put("overlap", toMap(agreement.overlap()));
            against.put("by_chance", agreement.chance());
            Map<String, Object> spans = new LinkedHashMap<>();
            put(spans, agreement.spans());
            against.put("spans", spans);
            map.put("against_spans", against);
        }
        return map;
    }

    private static Map<String, Object> toMap(Proportion share) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("queries", share.hits());
        map.put("share", share.share());
        map.put("interval", List.of(share.interval().low(), share.interval().high()));
        return map;
    }

    private static Map<String, Object> test(double statistic, double pValue, @Nullable Integer freedom) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("statistic", statistic);
        if (freedom != null) {
            map.put("degrees_of_freedom", freedom);
        }
        map.put("p_value", pValue);
        return map;
    }
}
