package io.posbias.report;

import io.posbias.Json;
import io.posbias.measure.Reversal;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What reversing the segments of passages did to scores, as tables, JSON and CSV. */
public final class ReversalTables {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/reversal/1";

    private static final List<String> HEADER =
            List.of("model", "evidence", "n", "original", "reversed", "difference", "interval", "p");

    private ReversalTables() {}

    /**
     * What was done.
     *
     * @param dataset name of the original benchmark
     * @param segments how many segments a passage was cut into at most
     * @param k how many passages were retrieved for each query
     * @param queries those that were measured
     * @param crossing queries left out because their evidence crosses the edge of a segment
     * @param withoutSpan queries left out because it is not known where in one passage their evidence lies
     * @param passages of the corpus
     * @param unchanged passages of a single sentence, which stayed as they were
     * @param confidence of all intervals, between 0 and 1
     */
    public record Setup(
            String dataset,
            int segments,
            int k,
            int queries,
            int crossing,
            int withoutSpan,
            int passages,
            int unchanged,
            double confidence) {}

    /** All models in one table: scores by place, gaps and contrasts. */
    public static Table table(Setup setup, Map<String, Reversal> results) {
        List<Table.Row> rows = new ArrayList<>();
        results.forEach((model, reversal) -> {
            for (Reversal.Cell cell : reversal.cells()) {
                rows.add(row(
                        model,
                        cell.from() + " -> " + cell.to(),
                        String.valueOf(cell.n()),
                        Numbers.points(cell.original()),
                        Numbers.points(cell.reversed()),
                        cell.change()));
            }
            rows.add(row(model, "gap, original corpus", "", "", "", reversal.gap()));
            rows.add(row(model, "gap, reversed, by place now", "", "", "", reversal.gapByPlace()));
            rows.add(row(model, "gap, reversed, by place then", "", "", "", reversal.gapByContent()));
            rows.add(row(model, "contrast", "", "", "", reversal.contrast()));
        });
        return new Table(
                "Reversed segments of " + setup.dataset() + ": nDCG@10 by the evidence's place then and now",
                List.of(),
                HEADER,
                rows,
                notes(setup));
    }

    /** The same in full precision, scores as fractions. */
    public static Table tidy(Map<String, Reversal> results) {
        List<Table.Row> rows = new ArrayList<>();
        results.forEach((model, reversal) -> {
            for (Reversal.Cell cell : reversal.cells()) {
                rows.add(tidy(
                        model,
                        cell.from() + " -> " + cell.to(),
                        List.of(
                                String.valueOf(cell.n()),
                                String.valueOf(cell.original()),
                                String.valueOf(cell.reversed())),
                        cell.change()));
            }
            List<String> none = List.of("", "", "");
            rows.add(tidy(model, "gap", none, reversal.gap()));
            rows.add(tidy(model, "gap_by_place_now", none, reversal.gapByPlace()));
            rows.add(tidy(model, "gap_by_place_then", none, reversal.gapByContent()));
            rows.add(tidy(model, "contrast", none, reversal.contrast()));
        });
        List<String> header = List.of(
                "model",
                "evidence",
                "n",
                "original",
                "reversed",
                "difference",
                "interval_low",
                "interval_high",
                "p_value");
        return new Table("", List.of(), header, rows, List.of());
    }

    private static Table.Row tidy(String model, String name, List<String> scores, @Nullable Estimate difference) {
        List<String> cells = new ArrayList<>(List.of(model, name));
        cells.addAll(scores);
        cells.addAll(Plain.estimate(difference));
        return new Table.Row(cells);
    }

    private static List<String> notes(Setup setup) {
        return List.of(
                "gap: front less back; by place then: the same queries as in the original corpus",
                "contrast: back -> front less front -> back; 0: the gap stays with the content; above 0: the front is"
                        + " favoured, below 0 the back",
                "interval: " + Numbers.percent(setup.confidence()) + ", paired t for a row's difference, Welch's t for"
                        + " gaps and contrast",
                "queries: " + setup.queries() + "; left out: " + setup.crossing() + " with evidence across segments, "
                        + setup.withoutSpan() + " without a span in one passage",
                "passages: " + setup.passages() + " in " + setup.segments() + " segments at most; " + setup.unchanged()
                        + " of a single sentence stayed as they were");
    }

    private static Table.Row row(
            String model, String name, String n, String original, String reversed, @Nullable Estimate difference) {
        List<String> cells = new ArrayList<>(List.of(model, name, n, original, reversed));
        cells.addAll(Numbers.difference(difference));
        return new Table.Row(cells);
    }

    /** The results of some models as one JSON document in UTF-8. */
    public static byte[] toBytes(Setup setup, Map<String, String> datasetSha256, Map<String, Reversal> results) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("dataset", setup.dataset());
        document.put("dataset_sha256", datasetSha256);
        document.put("measure", "nDCG@10");
        document.put("segments", setup.segments());
        document.put("k", setup.k());
        document.put("confidence", setup.confidence());
        document.put("queries", setup.queries());
        document.put("evidence_across_segments", setup.crossing());
        document.put("without_span", setup.withoutSpan());
        document.put("passages", setup.passages());
        document.put("unchanged_passages", setup.unchanged());
        Map<String, Object> models = new LinkedHashMap<>();
        results.forEach((model, reversal) -> models.put(model, toMap(reversal)));
        document.put("models", models);
        return Json.toBytes(document);
    }

    private static Map<String, @Nullable Object> toMap(Reversal reversal) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("places", reversal.cells().stream().map(ReversalTables::toMap).toList());
        put(map, "gap", reversal.gap());
        put(map, "gap_by_place_now", reversal.gapByPlace());
        put(map, "gap_by_place_then", reversal.gapByContent());
        put(map, "back_to_front", reversal.toFront());
        put(map, "front_to_back", reversal.toBack());
        put(map, "contrast", reversal.contrast());
        return map;
    }

    private static Map<String, @Nullable Object> toMap(Reversal.Cell cell) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("from", cell.from().toString());
        map.put("to", cell.to().toString());
        map.put("n", cell.n());
        map.put("original", cell.original());
        map.put("reversed", cell.reversed());
        put(map, "difference", cell.change());
        return map;
    }

    private static void put(Map<String, @Nullable Object> map, String name, @Nullable Estimate estimate) {
        map.put(name, estimate == null ? null : ProfileFields.estimate(estimate));
    }

    /** One line for each query with both positions and scores. */
    public static String csv(List<Reversal.Pair> pairs) {
        return CsvTable.lines(lines -> {
            lines.accept(List.of("query", "position_then", "position_now", "original", "reversed"));
            pairs.forEach(pair -> lines.accept(List.of(
                    pair.id(),
                    String.valueOf(pair.was()),
                    String.valueOf(pair.now()),
                    String.valueOf(pair.original()),
                    String.valueOf(pair.reversed()))));
        });
    }
}
