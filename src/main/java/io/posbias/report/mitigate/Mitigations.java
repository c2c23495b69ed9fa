package io.posbias.report.mitigate;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.Plural;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.Effect;
import io.posbias.measure.Effect.BucketSummary;
import io.posbias.measure.PositionLoss;
import io.posbias.plot.Figure;
import io.posbias.stats.Estimate;
import io.posbias.table.Detail;
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
    static final String PLAIN = "(none)";

    private static final double MEGA = 1e6;

    private static final Sheet<Mitigation> ROWS = new Sheet<Mitigation>()
            .plain("dataset", Mitigation::dataset)
            .plain("model", Mitigation::model)
            .plain("strategy", Mitigation::strategy)
            .means("strategy around the model, as in `MODEL+STRATEGY`; empty for the model itself")
            .plain("queries", row -> row.profile().queries())
            .means("judged queries", "count")
            .plain("outcome", row -> row.change() == null ? "" : row.change().toString())
            .means("effect of the strategy: [mitigate.md](../mitigate.md#what-is-printed)")
            .number("mean", NumberFormat.POINTS, row -> row.profile().queryMean())
            .means("mean score over queries")
            .number("psi", NumberFormat.FRACTION, row -> row.profile().psi().value())
            .means("Position Sensitivity Index over the buckets")
            .plain("worst_bucket", Mitigation::worstBucket)
            .means("position bucket with the lowest mean")
            .number("worst", NumberFormat.POINTS, row -> row.summary(BucketSummary.WORST))
            .means("mean of that bucket")
            .number("harmonic", NumberFormat.POINTS, row -> row.summary(BucketSummary.HARMONIC))
            .means("harmonic mean of the bucket means")
            .number("mean_difference", NumberFormat.SIGNED_POINTS, row -> of(mean(row), Estimate::value))
            .means("mean minus the model's")
            .only(Sheet.In.CSV)
            .interval("mean_interval", NumberFormat.SIGNED_POINTS, row -> of(mean(row), Estimate::interval))
            .only(Sheet.In.CSV)
            .number("mean_holm_p_value", NumberFormat.P, row -> change(row, Mitigation.StrategyChange::holmMean))
            .means("paired randomisation test of `mean_difference` (t test without draws), adjusted for the strategies"
                    + " around the model")
            .number("psi_difference", NumberFormat.SIGNED_FRACTION, row -> of(psi(row), Estimate::value))
            .means("PSI minus the model's")
            .only(Sheet.In.CSV)
            .interval("psi_interval", NumberFormat.SIGNED_FRACTION, row -> of(psi(row), Estimate::interval))
            .only(Sheet.In.CSV)
            .number("psi_holm_p_value", NumberFormat.P, row -> change(row, Mitigation.StrategyChange::holmPsi))
            .means("Wald's test of `psi_difference`, adjusted for the strategies around the model; empty if a bucket"
                    + " has too few queries")
            .number("worst_difference", NumberFormat.SIGNED_POINTS, row -> of(worst(row), Estimate::value))
            .means("mean of the worst bucket minus that of the model's own worst bucket")
            .only(Sheet.In.CSV)
            .interval("worst_interval", NumberFormat.SIGNED_POINTS, row -> of(worst(row), Estimate::interval))
            .only(Sheet.In.CSV)
            .number("harmonic_difference", NumberFormat.SIGNED_POINTS, row -> of(harmonic(row), Estimate::value))
            .means("harmonic mean minus the model's")
            .only(Sheet.In.CSV)
            .interval("harmonic_interval", NumberFormat.SIGNED_POINTS, row -> of(harmonic(row), Estimate::interval))
            .only(Sheet.In.CSV)
            .number("loss", NumberFormat.PERCENT, row -> of(loss(row), Estimate::value))
            .means("net loss at the back: 1 - back / front with fixed content; empty without")
            .interval("loss_interval", NumberFormat.PERCENT, row -> of(loss(row), Estimate::interval))
            .only(Sheet.In.CSV)
            .number("loss_difference", NumberFormat.SIGNED_PERCENT, row -> of(lossChange(row), Estimate::value))
            .means("net loss at the back minus the model's")
            .only(Sheet.In.CSV)
            .interval(
                    "loss_difference_interval",
                    NumberFormat.SIGNED_PERCENT,
                    row -> of(lossChange(row), Estimate::interval))
            .only(Sheet.In.CSV)
            .number("loss_p_value", NumberFormat.P, row -> of(lossChange(row), Estimate::pValue))
            .means("paired t test of `loss_difference` by units, not adjusted")
            .only(Sheet.In.CSV)
            .plain("loss_change", Mitigation::loss)
            .only(Sheet.In.JSON)
            .number(
                    "vectors_per_passage",
                    NumberFormat.STRENGTH,
                    row -> row.cost().vectors())
            .means("mean number of vectors per passage; of windows for models without vectors")
            .number("megabytes", NumberFormat.LENGTH, Mitigations::megabytes)
            .means("size of the vectors of all passages, of 1,000,000 bytes; empty if unknown", "MB")
            .number("texts_encoded", NumberFormat.LENGTH, row -> row.cost().encoded())
            .means("texts that this run encoded, without cached vectors", "count")
            .number("index_seconds", NumberFormat.LENGTH, row -> row.cost().indexSeconds())
            .means(
                    "time to encode and index passages: of this run without cached vectors, measured with `--costs`",
                    "s")
            .number(
                    "query_milliseconds",
                    NumberFormat.STRENGTH,
                    row -> row.cost().queryMillis())
            .means("mean time to encode and answer a query: of this run, measured with `--costs`", "ms")
            .number("unread", NumberFormat.PERCENT, row -> row.cost().truncated())
            .means("share of the queries whose evidence begins past the truncation limit")
            .plain("queries_read", row -> change(row, Mitigation.StrategyChange::read))
            .means("queries whose evidence the model alone does not truncate", "count")
            .number("read_psi_difference", NumberFormat.SIGNED_FRACTION, row -> of(readPsi(row), Estimate::value))
            .means("PSI minus the model's over these queries; empty if these are all queries, or too few")
            .only(Sheet.In.CSV)
            .number("read_psi_holm_p_value", NumberFormat.P, row -> change(row, Mitigation.StrategyChange::holmReadPsi))
            .means("Wald's test of `read_psi_difference`, adjusted for the strategies around the model")
            .plain("read_psi", Mitigations::readPsi)
            .only(Sheet.In.JSON)
            .plain("effect", row -> change(row, Mitigation.StrategyChange::effect))
            .only(Sheet.In.JSON);

    private static final Sheet<Mitigation> COSTS = new Sheet<Mitigation>()
            .label("strategy", Mitigations::name)
            .number("vectors each", NumberFormat.STRENGTH, row -> row.cost().vectors())
            .number("MB", NumberFormat.LENGTH, Mitigations::megabytes)
            .number("index s", NumberFormat.LENGTH, row -> row.cost().indexSeconds())
            .number("ms/query", NumberFormat.STRENGTH, row -> row.cost().queryMillis())
            .number("truncated", NumberFormat.PERCENT, row -> row.cost().truncated());

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

    private static String name(Mitigation row) {
        return row.strategy().isEmpty() ? PLAIN : row.strategy();
    }

    private static @Nullable Estimate mean(Mitigation row) {
        return change(row, change -> change.effect().comparison().difference());
    }

    private static @Nullable Estimate psi(Mitigation row) {
        return change(row, change -> change.effect().psi());
    }

    private static @Nullable Estimate worst(Mitigation row) {
        return change(row, change -> change.effect().worst().difference());
    }

    private static @Nullable Estimate harmonic(Mitigation row) {
        return change(row, change -> change.effect().harmonic().difference());
    }

    private static @Nullable Estimate readPsi(Mitigation row) {
        return change(row, Mitigation.StrategyChange::readPsi);
    }

    private static @Nullable Estimate loss(Mitigation row) {
        ContentFixed fixed = row.profile().contentFixed();
        PositionLoss loss = fixed == null ? null : fixed.loss();
        return loss == null ? null : loss.score().loss();
    }

    private static @Nullable Estimate lossChange(Mitigation row) {
        return row.loss() == null ? null : row.loss().difference();
    }

    /**
     * Contents of tables.
     *
     * @param intervals true to print intervals of changes
     * @param costs true to add a table of costs
     */
    public record Content(Effect.Criteria criteria, int draws, boolean intervals, boolean costs, Detail detail) {}

    /** Makes a table of strategies for each model on each benchmark, and on request one of costs. */
    public static List<Table> tables(String measure, List<Mitigation> rows, Content content) {
        List<Table> tables = new ArrayList<>();
        groups(rows).forEach((title, own) -> {
            tables.add(changes(own, content)
                    .table(
                            title + ", " + measure + " in points",
                            own,
                            content.detail().explain() ? notes(own, content) : List.of("(change): against " + PLAIN)));
            if (content.costs()) {
                tables.add(COSTS.digits(content.detail().digits())
                        .table(title + ": costs", own, content.detail().explain() ? List.of(COST) : List.of()));
            }
        });
        return tables;
    }

    private static Sheet<Mitigation> changes(List<Mitigation> rows, Content content) {
        Sheet<Mitigation> sheet = new Sheet<Mitigation>()
                .label("strategy", Mitigations::name)
                .plain(
                        "mean (change)",
                        row -> changed(row.profile().queryMean(), mean(row), NumberFormat.POINTS, content))
                .plain(
                        "PSI (change)",
                        row -> changed(row.profile().psi().value(), psi(row), NumberFormat.FRACTION, content))
                .plain(
                        "worst (change)",
                        row -> changed(row.summary(BucketSummary.WORST), worst(row), NumberFormat.POINTS, content));
        if (rows.stream().anyMatch(row -> loss(row) != null)) {
            sheet.plain(
                    "loss at back (change)",
                    row -> changed(of(loss(row), Estimate::value), lossChange(row), NumberFormat.PERCENT, content));
        }
        return sheet.number("vectors", NumberFormat.STRENGTH, row -> row.cost().vectors())
                .plain(
                        "outcome",
                        row -> row.change() == null ? "" : row.change().toString());
    }

    private static String changed(
            @Nullable Double value, @Nullable Estimate change, NumberFormat unit, Content content) {
        NumberFormat signed = unit == NumberFormat.POINTS
                ? NumberFormat.SIGNED_POINTS
                : unit == NumberFormat.FRACTION ? NumberFormat.SIGNED_FRACTION : NumberFormat.SIGNED_PERCENT;
        int digits = content.detail().digits();
        String level = unit.print(value, digits);
        if (change == null) {
            return level;
        }
        return level + " (" + signed.print(change.value(), digits)
                + (content.intervals() ? " " + signed.print(change.interval(), digits) : "") + ")";
    }

    private static final String COST =
            "index s: to encode and index all passages; times are measured on a sample after a warm-up, without cached"
                    + " vectors; truncated: queries whose evidence begins past the model's limit of tokens";

    private static List<String> notes(List<Mitigation> rows, Content content) {
        double margin = 100 * content.criteria().margin();
        List<String> notes = new ArrayList<>(List.of(
                "(change): against " + PLAIN + "; worst: mean of the worst bucket; vectors: per passage",
                "improves: mean up, PSI not up; balances: PSI down, mean down by less than "
                        + NumberFormat.STRENGTH.print(margin) + " points (its interval)",
                "trade-off: PSI down, mean not shown to hold; shifts: another bucket is the worst; worse: PSI up, or"
                        + " mean down without PSI",
                "truncation: PSI is down only where evidence was not read",
                "outcomes by " + NumberFormat.percent(content.criteria().confidence()) + " intervals and Holm p over "
                        + Plural.of(rows.size() - 1, "strategy") + ", " + content.draws()
                        + " draws; queries of a passage count as one"));
        rows.stream()
                .map(Mitigation::change)
                .filter(Objects::nonNull)
                .map(Mitigation.StrategyChange::read)
                .filter(read -> read < rows.getFirst().profile().queries())
                .findFirst()
                .ifPresent(read -> notes.add("truncation: by the " + read + " of "
                        + rows.getFirst().profile().queries() + " queries whose evidence the model read"));
        return notes;
    }

    static Map<String, List<Mitigation>> groups(List<Mitigation> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.model() + " on " + row.dataset(), LinkedHashMap::new, Collectors.toList()));
    }

    /** Draws worst buckets against costs, by file name. */
    public static Map<String, Figure> figures(List<Mitigation> rows, String measure) {
        return ParetoFigure.all(rows, measure);
    }

    public static Sheet<?> columns() {
        return ROWS;
    }

    public static Table raw(List<Mitigation> rows) {
        return ROWS.raw(rows);
    }

    /**
     * JSON of strategies.
     *
     * @param confidence of intervals; 1 - confidence is the level of outcomes
     * @param margin largest drop of the mean that counts as none, as a fraction; null in results of earlier versions
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
