package io.posbias.study.probe;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.study.probe.ProbeResult.GridCell;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tables of probe results. */
public final class ProbeTables {
    private ProbeTables() {}

    public record Row(String model, PairTest test) {
        /** All tests of the models. */
        public static List<Row> of(Map<String, ProbeResult> results) {
            List<Row> rows = new ArrayList<>();
            results.forEach((model, result) -> result.tests().forEach(test -> rows.add(new Row(model, test))));
            return rows;
        }
    }

    /**
     * Our test, a published one, or a cell of the grid.
     *
     * @param own null unless ours
     */
    record Line(
            String model,
            @Meaning("name of the probe, or `grid`") String probe,

            @Meaning("what is compared, first minus second; of the grid which cell")
            String comparison,

            @Meaning("pairs of texts, in the grid queries") int n,

            @Meaning(value = "t of the paired test", unit = "number") @Nullable
            Double t,

            @Meaning("two-sided p-value of t; a published one may be a bound, for example `<0.01`") @Nullable
            Object pValue,

            @Meaning("share of the pairs whose first score is higher; ties count against it") @Nullable
            Double shareHigher,

            @Meaning(value = "mean score of a cell of the grid", unit = "score") @Nullable
            Double mean,

            @JsonUnwrapped @Nullable Own own) {
        static Line of(Row row) {
            PairTest test = row.test();
            return new Line(
                    row.model(),
                    test.probe().name(),
                    test.comparison(),
                    test.n(),
                    test.t(),
                    test.pValue(),
                    test.share(),
                    null,
                    Own.of(test));
        }

        static Line of(String model, GridCell cell) {
            String comparison = "heads " + cell.heads() + ", words " + cell.words();
            return new Line(model, "grid", comparison, cell.n(), null, null, null, cell.mean(), null);
        }
    }

    /** Numbers that papers do not print. */
    record Own(
            @Meaning("clusters of the pairs, by document unless --cluster says otherwise") @JsonProperty("units")
            int clusters,

            @Meaning("pairs whose scores are equal up to rounding")
            int ties,

            @Meaning(value = "mean score of the first texts", unit = "score")
            double firstMean,

            @Meaning(value = "mean score of the second texts", unit = "score")
            double secondMean,

            @Meaning(value = "first mean minus second", unit = "score")
            double difference,

            @Nullable Interval differenceInterval,

            @Meaning(
                    value = "Cohen's d: the mean difference in standard deviations of the differences",
                    unit = "number")
            @Nullable
            Double effectSize) {
        static Own of(PairTest test) {
            return new Own(
                    test.clusters(),
                    test.ties(),
                    test.firstMean(),
                    test.secondMean(),
                    test.meanDifference(),
                    test.interval(),
                    test.effect());
        }
    }

    public static final RecordCsv<Line> LINES = new RecordCsv<>(Line.class);

    /** Columns of published tests come first, so that their rows end at the fold of narrow tables. */
    private static Columns<Line> columns(boolean comparisons, String share, int digits) {
        return new Columns<Line>(digits)
                .label("model", Line::model)
                .when(comparisons, columns -> columns.label("comparison", Line::comparison))
                .text("n", Line::n)
                .part(Line::own, new Columns<Own>().text("clusters", Own::clusters))
                .number("t", NumberFormat.STATISTIC, Line::t)
                .number("p", NumberFormat.P, Line::pValue)
                .number(share, NumberFormat.PERCENT, Line::shareHigher)
                .part(
                        Line::own,
                        new Columns<Own>()
                                .number("mean difference", NumberFormat.ANY_SCORE, Own::difference)
                                .interval(NumberFormat.ANY_SCORE, Own::differenceInterval)
                                .number("d", NumberFormat.STATISTIC, Own::effectSize));
    }

    /**
     * Contents of the tables.
     *
     * @param published true to add published rows
     */
    public record Content(double confidence, boolean published, Detail detail) {}

    /** Summary, one table per probe, and grids; one legend, below the last probe. */
    public static List<Table> all(Map<String, ProbeResult> results, Content content) {
        List<Row> rows = Row.of(results);
        List<Table> tables = new ArrayList<>();
        List<ProbeType> summarised = rows.stream()
                .filter(ProbeTables::isHeadline)
                .map(row -> row.test().probe())
                .distinct()
                .toList();
        if (!summarised.isEmpty()) {
            tables.add(summary(results, summarised, content.detail()));
        }
        Map<ProbeType, List<Line>> byProbe = new LinkedHashMap<>();
        rows.forEach(row -> byProbe.computeIfAbsent(row.test().probe(), probe -> new ArrayList<>())
                .add(Line.of(row)));
        List<Line> printed = content.published()
                ? PublishedProbes.of(
                        byProbe.keySet().stream().map(ProbeType::name).toList())
                : List.of();
        int left = byProbe.size();
        for (Map.Entry<ProbeType, List<Line>> probe : byProbe.entrySet()) {
            printed.stream()
                    .filter(test -> test.probe().equals(probe.getKey().name()))
                    .forEach(probe.getValue()::add);
            left--;
            List<String> notes = left > 0 ? List.of() : legend(rows, printed, content);
            tables.add(table(probe.getKey(), probe.getValue(), notes, content.detail()));
        }
        results.forEach((model, result) -> {
            if (!result.grid().isEmpty()) {
                tables.add(grid(model, result));
            }
        });
        return tables;
    }

    private static List<String> legend(List<Row> rows, List<Line> printed, Content content) {
        List<String> notes =
                new ArrayList<>(List.of("t: paired t test, above 0 prefers the first text; d: difference in"
                        + " standard deviations; intervals " + NumberFormat.percent(content.confidence())
                        + " (--explain)"));
        if (!printed.isEmpty()) {
            notes.add(PublishedProbes.MARK + " as published, on the authors' own pairs");
            notes.addAll(PublishedProbes.corrections(printed));
        }
        if (content.detail().explain()) {
            boolean clustered = rows.stream()
                    .anyMatch(row -> row.test().clusters() < row.test().n());
            notes.add(
                    clustered ? "clusters: pairs of one document; in the papers each pair counts" : "clusters: pairs");
            notes.add(
                    "accuracy (acc), share higher: share of pairs whose first text scores higher; ties count against it");
            rows.stream()
                    .filter(ProbeTables::isHeadline)
                    .map(row -> row.test().probe())
                    .distinct()
                    .filter(probe -> probe.first() != null)
                    .forEach(probe -> notes.add(probe + ": t above 0 prefers " + probe.first()));
        }
        return notes;
    }

    private static boolean isHeadline(Row row) {
        return row.test().probe().isHeadline(row.test().comparison());
    }

    /** T and accuracy of each probe, as in Figure 1 and Table 4 of the paper; one row per model. */
    private static Table summary(Map<String, ProbeResult> results, List<ProbeType> probes, Detail detail) {
        Columns<Map.Entry<String, ProbeResult>> columns =
                new Columns<Map.Entry<String, ProbeResult>>(detail.digits()).label("model", Map.Entry::getKey);
        probes.forEach(probe -> columns.number(
                probe + " t",
                NumberFormat.STATISTIC,
                row -> headline(row, probe).map(PairTest::t).orElse(null)));
        probes.stream()
                .filter(ProbeType::firstIsRight)
                .forEach(probe -> columns.number(
                        probe + " acc",
                        NumberFormat.PERCENT,
                        row -> headline(row, probe).map(PairTest::share).orElse(null)));
        return columns.table("Probes: what each model prefers", List.copyOf(results.entrySet()), List.of());
    }

    private static Optional<PairTest> headline(Map.Entry<String, ProbeResult> row, ProbeType probe) {
        return row.getValue().tests().stream()
                .filter(test -> test.probe().equals(probe) && probe.isHeadline(test.comparison()))
                .findFirst();
    }

    private static Table table(ProbeType probe, List<Line> lines, List<String> notes, Detail detail) {
        boolean several = lines.stream().map(Line::comparison).distinct().count() > 1;
        return columns(several, probe.firstIsRight() ? "accuracy" : "share higher", detail.digits())
                .table(probe + ": " + probe.meaning(), lines, notes);
    }

    /** Grid of a model: rows by length, longest first; columns by mentions of the head. */
    private static Table grid(String model, ProbeResult result) {
        Columns<String> columns = new Columns<String>().text("words", words -> words);
        result.grid().stream()
                .map(GridCell::heads)
                .distinct()
                .forEach(heads -> columns.text(
                        heads + (heads.equals("1") ? " mention" : " mentions"),
                        words -> result.cell(heads, words)
                                .map(cell -> String.format(Locale.ROOT, "%.4f (%d)", cell.mean(), cell.n()))
                                .orElse(null)));
        List<String> lengths = result.grid().stream()
                .sorted(Comparator.comparingInt(GridCell::leastWords).reversed())
                .map(GridCell::words)
                .distinct()
                .toList();
        return columns.table(
                model + ": mean score (queries) by length of the article and mentions of the head", lengths, List.of());
    }

    /** All tests and grid cells in full precision. */
    public static Table raw(Map<String, ProbeResult> results, boolean published) {
        List<Line> lines = new ArrayList<>();
        Set<String> probes = new LinkedHashSet<>();
        results.forEach((model, result) -> {
            List<Row> tests = Row.of(Map.of(model, result));
            tests.forEach(row -> probes.add(row.test().probe().name()));
            tests.forEach(row -> lines.add(Line.of(row)));
            result.grid().forEach(cell -> lines.add(Line.of(model, cell)));
        });
        if (published) {
            lines.addAll(PublishedProbes.of(probes));
        }
        return LINES.table(lines);
    }

    /**
     * Published results of "Collapse of Dense Retrievers": Tables 4, A.9 (foil, poison) and A.8 (literal), and for its figures the
     * authors' result files or, for moving, values read off Figure 4. The authors' 250 pairs differ from those built from
     * Re-DocRED's dev and test files: exact agreement requires their pairs.
     */
    static final class PublishedProbes {
        /** Suffix of published models. */
        static final String MARK = "*";

        private static final String FOIL = "data/published/colder-foil-poison.csv";
        private static final String FIGURES = "data/published/colder-figures.csv";
        private static final String LITERAL = "data/published/colder-literal-tableA8.csv";
        private static final List<String> PLACES = List.of("query1", "doc1", "query2", "doc2");
        private static final int PAIRS = 250;

        private PublishedProbes() {}

        static List<Line> of(Collection<String> probes) {
            List<Line> printed = new ArrayList<>();
            CsvRows.bundled(FIGURES).forEach(row -> printed.add(figure(row)));
            CsvRows.bundled(LITERAL).forEach(row -> literal(row, printed));
            CsvRows.bundled(FOIL).forEach(row -> printed.add(foil(row)));
            return printed.stream()
                    .filter(test -> probes.contains(test.probe()))
                    .toList();
        }

        /** What published tests should read by the authors' own files, as "model probe: correction". */
        static List<String> corrections(List<Line> printed) {
            return CsvRows.bundled(FOIL).stream()
                    .filter(row -> !row.text("correction", "").isEmpty())
                    .filter(row -> printed.stream().map(Line::probe).anyMatch(row.text("probe")::equals))
                    .map(row -> row.text("model") + MARK + " " + row.text("probe") + ": " + row.text("correction"))
                    .toList();
        }

        private static Line line(
                String model, String probe, String comparison, double t, @Nullable Object p, @Nullable Double share) {
            return new Line(model + MARK, probe, comparison, PAIRS, t, p, share, null, null);
        }

        private static Line figure(Fields row) {
            String share = row.text("share_higher", "");
            return line(
                    row.text("model"),
                    row.text("probe"),
                    row.text("comparison"),
                    row.parsedNumber("t_statistic"),
                    p(row.text("p_value", "")),
                    share.isEmpty() ? null : Double.valueOf(share));
        }

        /** Tables print bounds, result files numbers. */
        private static @Nullable Object p(String printed) {
            if (printed.isEmpty()) {
                return null;
            }
            return printed.startsWith("<") ? printed : Double.valueOf(printed);
        }

        private static Line foil(Fields row) {
            return line(
                    row.text("model"),
                    row.text("probe"),
                    PairTest.PAIRS,
                    row.parsedNumber("t_statistic"),
                    p(row.text("p_value").replace(" ", "")),
                    row.parsedNumber("accuracy_percent") / 100);
        }

        private static void literal(Fields row, List<Line> printed) {
            List<String> names = new ArrayList<>();
            for (String place : PLACES) {
                names.add(row.text(place).equals("long") ? "L" : "S");
            }
            String comparison = names.get(0) + names.get(1) + " - " + names.get(2) + names.get(3);
            for (String model : row.names()) {
                if (!PLACES.contains(model)) {
                    printed.add(line(model, "literal", comparison, row.parsedNumber(model), null, null));
                    if (comparison.equals(Shape.NAMES.headline())) {
                        printed.add(line(
                                model, ProbeType.LITERAL_SHORT, PairTest.PAIRS, row.parsedNumber(model), null, null));
                    }
                }
            }
        }
    }
}
