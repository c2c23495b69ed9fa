package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.plot.Effects;
import io.posbias.base.plot.Figure;
import io.posbias.base.process.Stopwatch;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.DataOrigin;
import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.rank.RetrievedRun;
import io.posbias.run.Diagnosis;
import io.posbias.run.Evaluation;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Study;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** {@code diagnose reversal}: does a gap move with the position or stay with the content? */
public final class ReversalDiagnosis implements Diagnosis<List<Reversal.MovedQuery>, Reversal> {
    private static final int POINTS = 100;

    private final String name;
    private final List<Dataset> wholes;
    private final List<ReversedBenchmark> benchmarks;
    private final Choice choice;
    private final Settings settings;

    /**
     * What is compared.
     *
     * @param segments maximum number of segments of a passage
     * @param published true to print Table 12 of arXiv:2605.26578, too
     */
    public record Choice(int segments, Reversal.Groups groups, boolean published) {}

    /**
     * @param wholes at least one; searched separately, their queries are pooled
     * @throws UsageException if no query can be measured
     */
    public ReversalDiagnosis(String name, List<Dataset> wholes, Choice choice, Settings settings) {
        this.name = name;
        this.wholes = List.copyOf(wholes);
        this.benchmarks = wholes.stream()
                .map(whole -> ReversedBenchmark.of(whole, choice.segments()))
                .toList();
        this.choice = choice;
        this.settings = settings;
        if (sum(ReversedBenchmark::queries) == 0) {
            throw new UsageException("dataset " + name + " has no query to measure: "
                    + sum(ReversedBenchmark::withoutSpan) + " without a span in one relevant passage, "
                    + sum(ReversedBenchmark::crossing) + " with evidence across segments");
        }
    }

    private int sum(ToIntFunction<ReversedBenchmark> count) {
        return benchmarks.stream().mapToInt(count).sum();
    }

    private int passages() {
        return wholes.stream().mapToInt(whole -> whole.passages().size()).sum();
    }

    @Override
    public List<Reversal.MovedQuery> score(Recipe recipe, Engine engine) {
        List<Reversal.MovedQuery> pairs = new ArrayList<>();
        for (ReversedBenchmark benchmark : benchmarks) {
            if (benchmark.queries() > 0) {
                double[] before = scores(benchmark.original(), "original", recipe, engine);
                double[] after = scores(benchmark.reversed(), "reversed", recipe, engine);
                String part = benchmark.original().name();
                benchmark
                        .pairs(
                                before,
                                after,
                                settings.on(benchmark.original().card()).unit())
                        .forEach(pair -> pairs.add(wholes.size() == 1 ? pair : pair.of(part)));
            }
        }
        return pairs;
    }

    private DataOrigin data() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        benchmarks.forEach(benchmark -> counts.put(benchmark.original().name(), benchmark.queries()));
        return DataOrigin.of(name, wholes, counts);
    }

    private double[] scores(Dataset dataset, String which, Recipe recipe, Engine engine) {
        Stopwatch stopwatch = new Stopwatch();
        RetrievedRun found = new Evaluation(dataset, settings, engine.threads(), stopwatch).retrieve(recipe, engine);
        double[] scores = Scores.of(found.run(), dataset, settings.measures(), engine.threads())
                .of(0);
        engine.say(recipe.name() + " on " + dataset.name() + ", " + which + ": " + stopwatch);
        return scores;
    }

    @Override
    public Reversal find(List<Reversal.MovedQuery> scores, Map<String, Reversal> earlier) {
        return Reversal.of(scores, choice.groups(), settings.confidence());
    }

    public static Study study() {
        return new Study(
                "reversal-1",
                ReversalFile.class,
                new Study.Csv(
                        "A line for each way that evidence went, and for each difference between groups of them.",
                        LINES),
                new Study.Csv("A line for each query.", SCORES));
    }

    /**
     * JSON document.
     *
     * @param segments maximum number of segments of a passage
     * @param groups what counts as front and back; absent in files of earlier versions, which have thirds
     * @param evidenceAcrossSegments queries excluded because their evidence crosses a segment border
     * @param unchangedPassages passages of one sentence
     */
    public record ReversalFile(
            String schema,
            @JsonUnwrapped DataOrigin data,
            String measure,
            int segments,
            @JsonInclude(JsonInclude.Include.NON_NULL) Reversal.@Nullable Groups groups,
            int k,
            double confidence,
            int queries,
            int evidenceAcrossSegments,
            int withoutSpan,
            int passages,
            int unchangedPassages,
            Map<String, Reversal> models) {}

    private ReversalFile document(Map<String, Reversal> models) {
        return new ReversalFile(
                "posbias/reversal/1",
                data(),
                settings.measure().toString(),
                choice.segments(),
                choice.groups(),
                settings.k(),
                settings.confidence(),
                sum(ReversedBenchmark::queries),
                sum(ReversedBenchmark::crossing),
                sum(ReversedBenchmark::withoutSpan),
                passages(),
                sum(ReversedBenchmark::unchanged),
                models);
    }

    @Override
    public ReversalFile document(EvaluatedModel model, Reversal found) {
        return document(Map.of(model.name(), found));
    }

    @Override
    public ReversalFile printed(Map<String, Reversal> found, List<Object> documents) {
        return document(found);
    }

    @Override
    public Table scores(List<Reversal.MovedQuery> scores) {
        return SCORES.table(scores);
    }

    private static final RecordCsv<Reversal.MovedQuery> SCORES = new RecordCsv<>(Reversal.MovedQuery.class);

    /**
     * Queries whose evidence went one way, or a difference between groups.
     *
     * @param name printed
     */
    private record ReversalRow(
            String model,
            @JsonIgnore String name,

            @Meaning("where the evidence lay and lies, as `front -> back`; or the name of a difference between groups")
            String evidence,

            @JsonUnwrapped Reversal.@Nullable Means means,

            @Meaning("reversed minus original, or the difference between groups, with interval and p-value") @Nullable
            Estimate difference) {}

    private static final RecordCsv<ReversalRow> LINES = new RecordCsv<>(ReversalRow.class);

    private static final Columns<ReversalRow> COLUMNS = new Columns<ReversalRow>()
            .label("model", ReversalRow::model)
            .label("evidence", ReversalRow::name)
            .text("n", row -> row.means() == null ? "" : row.means().n())
            .number(
                    "original",
                    NumberFormat.POINTS,
                    row -> row.means() == null ? "" : row.means().original())
            .number(
                    "reversed",
                    NumberFormat.POINTS,
                    row -> row.means() == null ? "" : row.means().reversed())
            .estimate("difference", NumberFormat.SIGNED_POINTS, ReversalRow::difference);

    private static final String TABLE = "data/published/training-reversal.csv";

    private static final Columns<Fields> PUBLISHED = new Columns<Fields>()
            .label("model", row -> row.text("model") + " " + row.text("configuration"))
            .under("front -> back")
            .number("original", NumberFormat.POINTS, row -> row.parsedNumber("front_original"))
            .number("reversed", NumberFormat.POINTS, row -> row.parsedNumber("front_to_back"))
            .under("back -> front")
            .number("original", NumberFormat.POINTS, row -> row.parsedNumber("back_original"))
            .number("reversed", NumberFormat.POINTS, row -> row.parsedNumber("back_to_front"))
            .under("")
            .number("delta_rev", NumberFormat.SIGNED_POINTS, row -> row.parsedNumber("delta_rev"));

    /** A difference between groups of queries, by its names in CSV, tables and figures. */
    private record Group(
            String field, String name, String plotted, Function<Reversal, @Nullable Estimate> difference) {}

    private static final List<Group> GROUPS = List.of(
            new Group("gap", "gap, original corpus", "gap, original", Reversal::gap),
            new Group(
                    "gap_by_place_now",
                    "gap, reversed, by new position",
                    "gap, by new position",
                    Reversal::gapByPlaceNow),
            new Group(
                    "gap_by_place_then",
                    "gap, reversed, by original position",
                    "gap, by original position",
                    Reversal::gapByPlaceThen),
            new Group("contrast", "contrast", "contrast", Reversal::contrast),
            new Group("delta_rev", "delta_rev, as published", "delta_rev", Reversal::deltaRev));

    private static List<ReversalRow> rows(Map<String, Reversal> found) {
        List<ReversalRow> rows = new ArrayList<>();
        found.forEach((model, reversal) -> {
            reversal.places().forEach(cell -> {
                String way = cell.from() + " -> " + cell.to();
                rows.add(new ReversalRow(model, way, way, cell.means(), cell.difference()));
            });
            GROUPS.forEach(group ->
                    rows.add(new ReversalRow(model, group.name, group.field, null, group.difference.apply(reversal))));
        });
        return rows;
    }

    @Override
    public List<Table> tables(Map<String, Reversal> found) {
        List<String> notes = new ArrayList<>(List.of(
                choice.groups() == Reversal.Groups.THIRDS
                        ? "front, middle, back: thirds of the passage"
                        : "front and back: the first and the last two fifths of a passage's segments, as in arXiv:2605.26578",
                "gap: front minus back; by original position: the same queries as in the original corpus",
                "contrast: back -> front minus front -> back; 0: content effects only; above 0: the "
                        + "front is favoured, below 0: the back",
                "delta_rev: reversed score of back -> front minus that of front -> back, as arXiv:2605.26578"
                        + " prints it (there as a fraction); content effects included",
                "interval: " + NumberFormat.percent(settings.confidence())
                        + ", paired t for a row's difference, Welch's" + " t for gaps, contrast and delta_rev",
                "queries: " + sum(ReversedBenchmark::queries) + "; left out: " + sum(ReversedBenchmark::crossing)
                        + " with evidence across segments, " + sum(ReversedBenchmark::withoutSpan)
                        + " without a span in one passage",
                "passages: " + passages() + " in " + choice.segments() + " segments at most; "
                        + sum(ReversedBenchmark::unchanged) + " of a single sentence unchanged"));
        notes.addAll(data().note());
        List<Table> tables = new ArrayList<>(List.of(COLUMNS.table(
                "Reversed segments of " + name + ": nDCG@10 by original and new position of the evidence",
                rows(found),
                notes)));
        if (choice.published()) {
            tables.add(PUBLISHED.table(
                    "Reversed segments of PosIR, Table 12 of arXiv:2605.26578",
                    CsvRows.bundled(TABLE),
                    List.of("MB, MM, ME, MU: trained on evidence at the beginning, in the middle, at the end,"
                            + " everywhere; four domains, five segments; printed without numbers of queries")));
        }
        return tables;
    }

    @Override
    public Table raw(Map<String, Reversal> found) {
        return LINES.table(rows(found));
    }

    /** Gaps, contrast and delta_rev, in points of nDCG@10. */
    @Override
    public List<Figure> figures(Map<String, Reversal> found) {
        Effects effects = new Effects("reversal", "reversed segments: " + name, "nDCG@10 (points)");
        found.forEach((model, reversal) -> GROUPS.forEach(group -> {
            Estimate difference = group.difference.apply(reversal);
            if (difference != null) {
                Interval interval = difference.interval().times(POINTS);
                effects.add(model, group.plotted, POINTS * difference.value(), interval);
            }
        }));
        return effects.figures(
                "Gap: front minus back. Contrast: back to front minus front to back; above 0 the front is favoured."
                        + " delta_rev: the contrast of scores in the reversed corpus alone."
                        + " Whiskers: t intervals.");
    }
}
