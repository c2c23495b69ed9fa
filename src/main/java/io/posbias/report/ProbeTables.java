package io.posbias.report;

import io.posbias.Json;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.ScoredItem;
import io.posbias.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What probes found, as tables, JSON and CSV. */
public final class ProbeTables {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/probe-result/1";

    private ProbeTables() {}

    /**
     * All tests of some models, one row each, under the model's name.
     *
     * @param published whether what the paper printed of the same probes follows
     */
    public static Table tests(Map<String, ProbeResult> results, double confidence, boolean published) {
        List<String> header =
                List.of("probe", "comparison", "n", "mean difference", "interval", "t", "p", "share higher", "d");
        List<Table.Row> rows = new ArrayList<>();
        results.forEach((model, result) -> {
            rows.add(new Table.Row(List.of(model)));
            result.tests().forEach(test -> rows.add(row(test)));
        });
        if (published) {
            Set<String> probes = results.values().stream()
                    .flatMap(result -> result.tests().stream())
                    .map(PairTest::probe)
                    .collect(Collectors.toSet());
            PublishedProbes.rows(probes).forEach((model, printed) -> {
                rows.add(new Table.Row(List.of(model + " (published)")));
                rows.addAll(printed);
            });
        }
        return new Table(
                "Probes: paired t tests of scores",
                List.of(),
                header,
                rows,
                List.of(
                        "share higher: pairs whose first score is higher, ties against; accuracy for answer, foil and poison",
                        "interval: " + Numbers.percent(confidence) + ", paired t; d: mean difference in its standard"
                                + " deviations; docs/probes.md says what a positive difference means"));
    }

    private static Table.Row row(PairTest test) {
        Estimate difference = test.difference();
        return new Table.Row(List.of(
                test.probe(),
                test.comparison(),
                String.valueOf(test.n()),
                difference == null ? Numbers.NONE : significant(difference.value()),
                difference == null
                        ? Numbers.NONE
                        : "[" + significant(difference.interval().low()) + ", "
                                + significant(difference.interval().high()) + "]",
                decimals(test.t()),
                difference == null ? Numbers.NONE : Numbers.pValue(difference.pValue()),
                String.format(Locale.ROOT, "%.1f%%", 100 * test.share()),
                decimals(test.effect())));
    }

    /** Scores have no unit: cosines lie in hundredths, dot products in tens. */
    private static String significant(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < 1 ? "%+.4f" : "%+.2f", value);
    }

    private static String decimals(@Nullable Double value) {
        return value == null ? Numbers.NONE : String.format(Locale.ROOT, "%+.2f", value);
    }

    /** The grid of each model that has one: rows by length, longest first, columns by mentions of the head. */
    public static List<Table> grids(Map<String, ProbeResult> results) {
        List<Table> tables = new ArrayList<>();
        results.forEach((model, result) -> {
            if (!result.grid().isEmpty()) {
                tables.add(grid(model, result.grid()));
            }
        });
        return tables;
    }

    private static Table grid(String model, List<ProbeResult.GridCell> cells) {
        List<String> heads =
                cells.stream().map(ProbeResult.GridCell::heads).distinct().toList();
        Map<Integer, String> lengths = new TreeMap<>();
        cells.forEach(cell -> lengths.put(Integer.valueOf(cell.words().split("-", 2)[0]), cell.words()));
        List<String> header = new ArrayList<>(List.of("words"));
        heads.forEach(band -> header.add(band + (band.equals("1") ? " mention" : " mentions")));
        List<Table.Row> rows = new ArrayList<>();
        for (Integer length : new TreeSet<>(lengths.keySet()).descendingSet()) {
            String words = String.valueOf(lengths.get(length));
            List<String> row = new ArrayList<>(List.of(words));
            for (String band : heads) {
                row.add(cells.stream()
                        .filter(cell ->
                                cell.heads().equals(band) && cell.words().equals(words))
                        .findFirst()
                        .map(cell -> String.format(Locale.ROOT, "%.4f (%d)", cell.mean(), cell.n()))
                        .orElse(Numbers.NONE));
            }
            rows.add(new Table.Row(row));
        }
        return new Table(
                model + ": mean score by length of the article and mentions of the head",
                List.of(),
                header,
                rows,
                List.of("in brackets: queries"));
    }

    /** A model's result as a JSON document in UTF-8. */
    public static byte[] toBytes(
            String model, String recipeSha256, Map<String, String> dataSha256, double confidence, ProbeResult result) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("model", model);
        document.put("recipe_sha256", recipeSha256);
        document.put("data_sha256", dataSha256);
        document.put("confidence", confidence);
        document.put("tests", result.tests().stream().map(ProbeTables::toMap).toList());
        document.put("grid", result.grid().stream().map(ProbeTables::toMap).toList());
        return Json.toBytes(document);
    }

    static Map<String, @Nullable Object> toMap(PairTest test) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("probe", test.probe());
        map.put("comparison", test.comparison());
        map.put("n", test.n());
        map.put("first_mean", test.first());
        map.put("second_mean", test.second());
        map.put("difference", test.difference() == null ? null : ProfileFields.estimate(test.difference()));
        map.put("t", test.t());
        map.put("higher", test.higher());
        map.put("ties", test.ties());
        map.put("effect_size", test.effect());
        return map;
    }

    private static Map<String, Object> toMap(ProbeResult.GridCell cell) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("heads", cell.heads());
        map.put("words", cell.words());
        map.put("n", cell.n());
        map.put("mean", cell.mean());
        return map;
    }

    /** One line for each item with its scores. */
    public static String csv(List<ScoredItem> items) {
        return CsvTable.lines(lines -> {
            lines.accept(List.of("probe", "id", "tags", "score1", "score2"));
            for (ScoredItem scored : items) {
                String tags = new TreeMap<>(scored.item().tags())
                        .entrySet().stream()
                                .map(tag -> tag.getKey() + "=" + tag.getValue())
                                .collect(Collectors.joining(";"));
                Double second = scored.score2();
                lines.accept(List.of(
                        scored.item().probe(),
                        scored.item().id(),
                        tags,
                        String.valueOf(scored.score1()),
                        second == null ? "" : second.toString()));
            }
        });
    }
}
