package io.posbias.report.mitigate;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Plural;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.Effect;
import io.posbias.measure.Effect.BucketSummary;
import io.posbias.measure.PositionLoss;
import io.posbias.plot.Figure;
import io.posbias.stats.Estimate;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Strategies around models as tables, CSV and JSON. */
public final class Mitigations {
    /** What the model itself is called among strategies. */
    static final String PLAIN = "(none)";

    private static final String LEVELS = "levels";
    private static final String CHANGES = "changes";
    private static final String LOSSES = "losses";
    private static final String COSTS = "costs";
    private static final double MEGA = 1e6;

    private static final Sheet<Mitigation> ROWS = new Sheet<Mitigation>()
            .label("strategy", row -> row.strategy().isEmpty() ? PLAIN : row.strategy())
            .only(Sheet.In.PRINT)
            .plain("dataset", Mitigation::dataset)
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("model", Mitigation::model)
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("strategy", Mitigation::strategy)
            .means("what wraps the model, as in `MODEL+STRATEGY`; empty for the model itself")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("queries", row -> row.profile().queries())
            .means("judged queries", "count")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .part(LEVELS)
            .plain("outcome", row -> row.change() == null ? "" : row.change().toString())
            .means("what the strategy does, in a word: [mitigate.md](../mitigate.md#what-is-printed)")
            .number("mean", NumberFormat.POINTS, row -> row.profile().queryMean())
            .means("mean score over queries")
            .number("psi", NumberFormat.FRACTION, row -> row.profile().psi().value())
            .means("Position Sensitivity Index over the buckets")
            .headed("PSI")
            .under("worst bucket")
            .plain("worst_bucket", Mitigation::worstBucket)
            .means("position bucket with the lowest mean")
            .headed("")
            .number("worst", NumberFormat.POINTS, row -> row.summary(BucketSummary.WORST))
            .means("mean of that bucket")
            .headed("mean")
            .under("")
            .number("harmonic", NumberFormat.POINTS, row -> row.summary(BucketSummary.HARMONIC))
            .means("harmonic mean of the bucket means")
            .headed("harmonic mean")
            .part(CHANGES)
            .under("mean")
            .number("mean_difference", NumberFormat.SIGNED_POINTS, row -> mean(row, Estimate::value))
            .means("mean minus the model's")
            .headed("change")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval("mean_interval", NumberFormat.SIGNED_POINTS, row -> mean(row, Estimate::interval))
            .headed("interval")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .number("mean_holm_p_value", NumberFormat.P, row -> change(row, Mitigation.StrategyChange::holmMean))
            .means(
                    "paired randomisation test of the same (t test without draws), adjusted for the strategies around the model")
            .headed("Holm p")
            .under("PSI")
            .number("psi_difference", NumberFormat.SIGNED_FRACTION, row -> psi(row, Estimate::value))
            .means("PSI minus the model's")
            .headed("change")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval("psi_interval", NumberFormat.SIGNED_FRACTION, row -> psi(row, Estimate::interval))
            .headed("interval")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .number("psi_holm_p_value", NumberFormat.P, row -> change(row, Mitigation.StrategyChange::holmPsi))
            .means("Wald's test of the same, adjusted likewise; empty where a bucket has too few queries")
            .headed("Holm p")
            .none(Mitigations::untested)
            .under("worst bucket")
            .number("worst_difference", NumberFormat.SIGNED_POINTS, row -> summary(row, Effect::worst, Estimate::value))
            .means("mean of the worst bucket minus that of the model's own worst bucket")
            .headed("change")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval(
                    "worst_interval",
                    NumberFormat.SIGNED_POINTS,
                    row -> summary(row, Effect::worst, Estimate::interval))
            .headed("interval")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .under("harmonic mean")
            .number(
                    "harmonic_difference",
                    NumberFormat.SIGNED_POINTS,
                    row -> summary(row, Effect::harmonic, Estimate::value))
            .means("harmonic mean minus the model's")
            .headed("change")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval(
                    "harmonic_interval",
                    NumberFormat.SIGNED_POINTS,
                    row -> summary(row, Effect::harmonic, Estimate::interval))
            .headed("interval")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .part(LOSSES)
            .under("loss at back")
            .number("loss", NumberFormat.PERCENT, row -> of(loss(row), Estimate::value))
            .means("net loss at the back: 1 - back / front with the content held fixed; empty where it was not")
            .headed("")
            .interval("loss_interval", NumberFormat.PERCENT, row -> of(loss(row), Estimate::interval))
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .number("loss_difference", NumberFormat.SIGNED_PERCENT, row -> of(lossChange(row), Estimate::value))
            .means("net loss at the back minus the model's")
            .headed("change")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval(
                    "loss_difference_interval",
                    NumberFormat.SIGNED_PERCENT,
                    row -> of(lossChange(row), Estimate::interval))
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .number("loss_p_value", NumberFormat.P, row -> of(lossChange(row), Estimate::pValue))
            .means("paired t test of the same by units, not adjusted")
            .headed("p")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .plain("loss_change", Mitigation::loss)
            .only(Sheet.In.JSON)
            .part(COSTS)
            .under("passages")
            .number(
                    "vectors_per_passage",
                    NumberFormat.STRENGTH,
                    row -> row.cost().vectors())
            .means("vectors of a passage on average, or windows where words are counted")
            .headed("vectors each")
            .number("megabytes", NumberFormat.LENGTH, Mitigations::megabytes)
            .means("size of the vectors of all passages, of 1,000,000 bytes; empty where that is not known", "MB")
            .headed("MB")
            .under("this run")
            .number("texts_encoded", NumberFormat.LENGTH, row -> row.cost().encoded())
            .means("texts that this run encoded; vectors that were there already are not among them", "count")
            .headed("texts encoded")
            .number("index_seconds", NumberFormat.LENGTH, row -> row.cost().indexSeconds())
            .means("time of this run to encode and index passages", "s")
            .headed("index s")
            .number(
                    "query_milliseconds",
                    NumberFormat.STRENGTH,
                    row -> row.cost().queryMillis())
            .means("time of this run to encode and answer a query on average", "ms")
            .headed("ms/query")
            .under("evidence")
            .number("unread", NumberFormat.PERCENT, row -> row.cost().truncated())
            .means("share of the queries whose evidence begins past what is read of the passage")
            .headed("not read")
            .part("")
            .under("")
            .plain("queries_read", row -> change(row, Mitigation.StrategyChange::read))
            .means("queries whose evidence the model alone reads to its end", "count")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .number("read_psi_difference", NumberFormat.SIGNED_FRACTION, row -> readPsi(row, Estimate::value))
            .means("PSI minus the model's over these alone; empty where these are all, or too few")
            .only(Sheet.In.CSV)
            .number("read_psi_holm_p_value", NumberFormat.P, row -> change(row, Mitigation.StrategyChange::holmReadPsi))
            .means("Wald's test of the same, adjusted likewise")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("read_psi", row -> change(row, Mitigation.StrategyChange::readPsi))
            .only(Sheet.In.JSON)
            .plain("effect", row -> change(row, Mitigation.StrategyChange::effect))
            .only(Sheet.In.JSON);

    private Mitigations() {}

    private static @Nullable Double megabytes(Mitigation row) {
        Double bytes = row.cost().bytes();
        return bytes == null ? null : (Double) (bytes / MEGA);
    }

    private static <T> @Nullable T change(Mitigation row, Function<Mitigation.StrategyChange, @Nullable T> of) {
        Mitigation.StrategyChange change = row.change();
        return change == null ? null : of.apply(change);
    }

    private static <T> @Nullable T of(@Nullable Estimate estimate, Function<Estimate, T> number) {
        return estimate == null ? null : number.apply(estimate);
    }

    private static <T> @Nullable T mean(Mitigation row, Function<Estimate, T> number) {
        return change(row, change -> of(change.effect().comparison().difference(), number));
    }

    private static <T> @Nullable T psi(Mitigation row, Function<Estimate, T> number) {
        return change(row, change -> of(change.effect().psi(), number));
    }

    private static <T> @Nullable T readPsi(Mitigation row, Function<Estimate, T> number) {
        return change(row, change -> of(change.readPsi(), number));
    }

    private static String untested(Mitigation row) {
        Boolean few = change(row, change -> change.effect().comparison().hasTooFewForPsi());
        return few != null && few ? NumberFormat.TOO_FEW : NumberFormat.NONE;
    }

    private static @Nullable Estimate loss(Mitigation row) {
        ContentFixed fixed = row.profile().contentFixed();
        PositionLoss loss = fixed == null ? null : fixed.loss();
        return loss == null ? null : loss.score().loss();
    }

    private static @Nullable Estimate lossChange(Mitigation row) {
        return row.loss() == null ? null : row.loss().difference();
    }

    private static <T> @Nullable T summary(
            Mitigation row, Function<Effect, Effect.Summary> which, Function<Estimate, T> number) {
        return change(row, change -> of(which.apply(change.effect()).difference(), number));
    }

    /**
     * Tables for each model on each benchmark: outcomes, changes, the loss at the back where the content was held fixed, and
     * costs.
     *
     * @param draws of tests and intervals
     */
    public static List<Table> tables(String measure, List<Mitigation> rows, int draws, Effect.Criteria criteria) {
        List<Table> tables = new ArrayList<>();
        groups(rows).forEach((title, own) -> {
            List<Mitigation> changed =
                    own.stream().filter(row -> row.change() != null).toList();
            tables.add(ROWS.table(LEVELS, title + ", " + measure + " in points (x100)", own, words(criteria.margin())));
            if (!changed.isEmpty()) {
                tables.add(ROWS.table(
                        CHANGES,
                        title + ": change against " + PLAIN,
                        changed,
                        notes(changed, draws, criteria.confidence())));
            }
            if (own.stream().anyMatch(row -> loss(row) != null)) {
                tables.add(ROWS.table(
                        LOSSES,
                        title + ": content held fixed",
                        own,
                        List.of("loss at back: 1 - back / front; change: against " + PLAIN
                                + ", in points of percent")));
            }
            tables.add(ROWS.table(COSTS, title + ": what it takes", own, List.of(COST)));
        });
        return tables;
    }

    private static List<String> words(double margin) {
        return List.of(
                "improves: mean up, PSI not up; balances: PSI down, mean down by less than "
                        + NumberFormat.STRENGTH.print(100 * margin) + " points (its interval)",
                "trade-off: PSI down, mean not shown to hold; shifts: another bucket is the worst; worse: PSI up, or mean"
                        + " down without PSI",
                "truncation: PSI is down only where evidence was not read");
    }

    private static final String COST = "texts encoded and times: of this run, in which vectors that were there already "
            + "cost nothing; not read: queries whose evidence begins past the model's limit of tokens";

    private static List<String> notes(List<Mitigation> changed, int draws, double confidence) {
        List<String> notes = new ArrayList<>();
        notes.add("queries of a passage count as one; Holm p: adjusted for " + Plural.of(changed.size(), "strategy"));
        notes.add("intervals: " + NumberFormat.percent(confidence)
                + "; mean: paired t and randomisation; all others: paired " + "bootstrap, " + draws
                + " draws; PSI: Wald's test besides");
        int queries = changed.getFirst().profile().queries();
        int read = Objects.requireNonNull(changed.getFirst().change()).read();
        if (read < queries) {
            notes.add("truncation: by the " + read + " of " + queries + " queries whose evidence the model read");
        }
        return notes;
    }

    /** Those of one model on one benchmark, by both names. */
    static Map<String, List<Mitigation>> groups(List<Mitigation> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.model() + " on " + row.dataset(), LinkedHashMap::new, Collectors.toList()));
    }

    /** Worst buckets against costs, by the names of their files. */
    public static Map<String, Figure> figures(List<Mitigation> rows, String measure) {
        return ParetoFigure.all(rows, measure);
    }

    /** The columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return ROWS;
    }

    /** All numbers in full precision: what CSV holds. */
    public static Table raw(List<Mitigation> rows) {
        return ROWS.raw(rows);
    }

    /**
     * What is printed as JSON.
     *
     * @param measure its name
     * @param draws of randomisation tests and bootstraps
     * @param seed of both
     * @param confidence of intervals; 1 minus it is the level of the words
     * @param margin largest drop of the mean that does not matter, as a fraction; null in earlier results
     * @param strategies in full precision
     * @param advice a sentence for each model on each benchmark
     */
    public record MitigationFile(
            String schema,
            String measure,
            int draws,
            long seed,
            double confidence,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double margin,

            List<Map<String, @Nullable Object>> strategies,
            List<String> advice) {}

    /** All numbers as a record of JSON. */
    public static MitigationFile document(
            String measure, List<Mitigation> rows, int draws, long seed, Effect.Criteria criteria) {
        return new MitigationFile(
                "posbias/mitigation/1",
                measure,
                draws,
                seed,
                criteria.confidence(),
                criteria.margin(),
                ROWS.records(rows),
                Advice.of(rows, criteria.level()));
    }
}
