package io.posbias.probe;

import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What probes found, as tables. */
public final class ProbeTables {
    private ProbeTables() {}

    /** A test of a model: a row of the tables. */
    public record Row(String model, PairTest test) {
        /** The rows of all tests of some models. */
        public static List<Row> of(Map<String, ProbeResult> results) {
            List<Row> rows = new ArrayList<>();
            results.forEach((model, result) -> result.tests().forEach(test -> rows.add(new Row(model, test))));
            return rows;
        }
    }

    /** @param share what the share of pairs is called whose first score is higher */
    private static Sheet<Row> columns(String share) {
        return new Sheet<Row>()
                .label("model", Row::model)
                .plain("probe", row -> row.test().probe())
                .only(Sheet.In.CSV)
                .label("comparison", row -> row.test().comparison())
                .plain("n", row -> row.test().n())
                .plain("units", row -> row.test().units())
                .number("first_mean", Unit.SCORE, row -> row.test().firstMean())
                .only(Sheet.In.CSV)
                .number("second_mean", Unit.SCORE, row -> row.test().secondMean())
                .only(Sheet.In.CSV)
                .number("difference", Unit.ANY_SCORE, row -> row.test().meanDifference())
                .headed("mean difference")
                .interval("interval", Unit.ANY_SCORE, row -> row.test().interval())
                .number("t", Unit.STATISTIC, row -> row.test().t())
                .number("p_value", Unit.P, row -> row.test().pValue())
                .headed("p")
                .number("share_higher", Unit.PERCENT, row -> row.test().share())
                .headed(share)
                .plain("ties", row -> row.test().ties())
                .only(Sheet.In.CSV)
                .number("effect_size", Unit.STATISTIC, row -> row.test().effect())
                .headed("d");
    }

    /**
     * All tables: the summary, one for each probe, and the grids.
     *
     * @param published whether what the paper printed of the same probes follows
     */
    public static List<Table> all(Map<String, ProbeResult> results, double confidence, boolean published) {
        List<Row> rows = Row.of(results);
        List<Table> tables = new ArrayList<>();
        List<ProbeType> summarised = rows.stream()
                .filter(ProbeTables::isHeadline)
                .map(row -> row.test().probe())
                .distinct()
                .toList();
        if (!summarised.isEmpty()) {
            tables.add(summary(results, summarised));
        }
        Map<ProbeType, List<Table.Row>> byProbe = new LinkedHashMap<>();
        rows.forEach(row -> byProbe.computeIfAbsent(row.test().probe(), probe -> new ArrayList<>())
                .add(columns("").print("", row)));
        List<PublishedProbes.Printed> printed = published
                ? PublishedProbes.of(
                        byProbe.keySet().stream().map(ProbeType::name).toList())
                : List.of();
        byProbe.forEach((probe, own) -> {
            printed.stream().filter(test -> test.probe().equals(probe.name())).forEach(test -> own.add(test.row()));
            tables.add(table(probe, own, confidence));
        });
        results.forEach((model, result) -> {
            if (!result.grid().isEmpty()) {
                tables.add(grid(model, result));
            }
        });
        return tables;
    }

    private static boolean isHeadline(Row row) {
        return row.test().probe().isHeadline(row.test().comparison());
    }

    /**
     * The t of each probe, as Figure 1 of the paper shows it, and the accuracy where one text is the right one, as its Table 4
     * does; a row for each model.
     */
    private static Table summary(Map<String, ProbeResult> results, List<ProbeType> probes) {
        Sheet<Map.Entry<String, ProbeResult>> sheet =
                new Sheet<Map.Entry<String, ProbeResult>>().plain("model", Map.Entry::getKey);
        List<ProbeType> right = probes.stream().filter(ProbeType::firstIsRight).toList();
        probes.forEach(probe -> sheet.number(
                probe + " t",
                Unit.STATISTIC,
                row -> headline(row, probe).map(PairTest::t).orElse(null)));
        right.forEach(probe -> sheet.number(
                probe + " acc",
                Unit.PERCENT,
                row -> headline(row, probe).map(PairTest::share).orElse(null)));
        List<String> first = probes.stream()
                .map(ProbeType::first)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        List<String> notes =
                new ArrayList<>(List.of("t: paired t test of first minus second score; above 0: prefers the first"
                        + (first.isEmpty() ? "" : ", that is: " + String.join(", ", first))));
        if (!right.isEmpty()) {
            notes.add("acc: accuracy, the share of pairs whose text with the answer or the evidence scores "
                    + "higher; ties count as wrong");
        }
        return sheet.table("Probes: what each model prefers", List.copyOf(results.entrySet()), notes);
    }

    private static Optional<PairTest> headline(Map.Entry<String, ProbeResult> row, ProbeType probe) {
        return row.getValue().tests().stream()
                .filter(test -> test.probe().equals(probe) && probe.isHeadline(test.comparison()))
                .findFirst();
    }

    private static Table table(ProbeType probe, List<Table.Row> rows, double confidence) {
        List<String> notes = new ArrayList<>(List.of("interval: " + Unit.percent(confidence)
                + ", paired t, pairs of one document (units) as one, unlike the papers; d: mean difference in its "
                + "standard deviations; ties count against the first"));
        if (rows.stream().anyMatch(row -> row.cells().getFirst().endsWith(PublishedProbes.MARK))) {
            notes.add(PublishedProbes.MARK + " as published, on the authors' own 250 pairs");
        }
        Table table = columns(probe.firstIsRight() ? "accuracy" : "share higher")
                .tableOf("", probe + ": " + probe.meaning(), rows, notes);
        boolean single = rows.stream().map(row -> row.cells().get(1)).distinct().count() == 1;
        return single ? table.without(1) : table;
    }

    /** The grid of a model: rows by length, longest first, columns by mentions of the head. */
    private static Table grid(String model, ProbeResult result) {
        Sheet<String> sheet = new Sheet<String>().plain("words", words -> words);
        result.grid().stream()
                .map(GridCell::heads)
                .distinct()
                .forEach(heads -> sheet.plain(
                        heads + (heads.equals("1") ? " mention" : " mentions"),
                        words -> result.cell(heads, words)
                                .map(cell -> String.format(Locale.ROOT, "%.4f (%d)", cell.mean(), cell.n()))
                                .orElse(null)));
        List<String> lengths = result.grid().stream()
                .sorted(Comparator.comparingInt(GridCell::leastWords).reversed())
                .map(GridCell::words)
                .distinct()
                .toList();
        return sheet.table(
                model + ": mean score by length of the article and mentions of the head",
                lengths,
                List.of("in brackets: queries"));
    }

    /**
     * All tests in full precision, a row for each model and comparison, and the means of the grid, a row for each cell.
     *
     * @param published whether what the paper printed of the same probes follows
     */
    public static Table raw(Map<String, ProbeResult> results, boolean published) {
        Sheet<Row> columns = columns("");
        Table header = columns.raw(List.of());
        List<Table.Row> rows = new ArrayList<>();
        Set<String> probes = new LinkedHashSet<>();
        results.forEach((model, result) -> {
            List<Row> tests = Row.of(Map.of(model, result));
            tests.forEach(row -> probes.add(row.test().probe().name()));
            rows.addAll(columns.raw(tests).rows());
            result.grid().forEach(cell -> rows.add(row(header, grid(model, cell))));
        });
        if (published) {
            PublishedProbes.of(probes).forEach(test -> rows.add(row(header, test.tidy())));
        }
        return header.with(rows);
    }

    /** A cell of the grid, which has a mean and no test. */
    private static Map<String, String> grid(String model, GridCell cell) {
        return Map.of(
                "model",
                model,
                "probe",
                "grid",
                "comparison",
                "heads " + cell.heads() + ", words " + cell.words(),
                "n",
                String.valueOf(cell.n()),
                "first_mean",
                String.valueOf(cell.mean()));
    }

    /** A row with values in some columns. */
    private static Table.Row row(Table table, Map<String, String> values) {
        return new Table.Row(table.header().stream()
                .map(column -> values.getOrDefault(column, ""))
                .toList());
    }
}
