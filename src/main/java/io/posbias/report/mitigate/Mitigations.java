package io.posbias.report.mitigate;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Figure;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.report.mitigate.Mitigation.StrategyChange;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Effect;
import io.posbias.score.measure.Effect.BucketSummary;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Study;
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

    /** Means of a strategy, its change against the model, and its cost. */
    public record StrategyLine(
            String dataset,
            String model,

            @Meaning("strategy around the model, as in `MODEL+STRATEGY`; empty for the model itself")
            String strategy,

            @Meaning("judged queries") int queries,

            @Meaning("effect of the strategy: [mitigate.md](../mitigate.md#what-is-printed)")
            String outcome,

            @Meaning("mean score over queries") @Nullable Double mean,

            @Meaning("Position Sensitivity Index over the buckets") @Nullable
            Double psi,

            @Meaning("position bucket with the lowest mean") String worstBucket,
            @Meaning("mean of that bucket") @Nullable Double worst,

            @Meaning("harmonic mean of the bucket means") @Nullable
            Double harmonic,

            @JsonProperty("mean_holm_p_value")
            @Meaning(
                    "paired randomisation test of `effect_comparison_difference` (t test without draws), adjusted for the"
                            + " strategies around the model")
            @Nullable
            Double meanHolmPValue,

            @JsonProperty("psi_holm_p_value")
            @Meaning(
                    "Wald's test of `effect_comparison_psi_difference`, adjusted for the strategies around the model; empty"
                            + " if a bucket has too few queries")
            @Nullable
            Double psiHolmPValue,

            @Meaning("net loss at the back: 1 - back / front with fixed content; empty without") @Nullable
            Double loss,

            @Nullable Interval lossInterval,

            @Meaning(
                    value =
                            "net loss at the back of the model and of the strategy, and the differences of both and of their"
                                    + " absolute values by the paired t test over clusters, not adjusted; empty unless the"
                                    + " content was held fixed for both",
                    unit = "fraction")
            PositionLoss.@Nullable Change lossChange,

            @JsonUnwrapped Mitigation.StrategyCost cost,

            @Meaning("queries whose evidence the model alone does not truncate") @Nullable
            Integer queriesRead,

            @Meaning("PSI minus the model's over these queries; empty if these are all queries, or too few") @Nullable
            Estimate readPsi,

            @JsonProperty("read_psi_holm_p_value")
            @Meaning("Wald's test of `read_psi`, adjusted for the strategies around the model")
            @Nullable
            Double readPsiHolmPValue,

            @Nullable Effect effect) {
        static StrategyLine of(Mitigation row) {
            Estimate loss = Mitigations.loss(row);
            return new StrategyLine(
                    row.dataset(),
                    row.model(),
                    row.strategy(),
                    row.profile().queries(),
                    Mitigations.outcome(row),
                    row.profile().queryMean(),
                    row.profile().psi().value(),
                    row.worstBucket(),
                    row.summary(BucketSummary.WORST),
                    row.summary(BucketSummary.HARMONIC),
                    change(row, StrategyChange::holmMean),
                    change(row, StrategyChange::holmPsi),
                    Mitigations.of(loss, Estimate::value),
                    Mitigations.of(loss, Estimate::interval),
                    row.loss(),
                    row.cost(),
                    change(row, StrategyChange::read),
                    change(row, StrategyChange::readPsi),
                    change(row, StrategyChange::holmReadPsi),
                    change(row, StrategyChange::effect));
        }
    }

    private static final RecordCsv<StrategyLine> LINES = new RecordCsv<>(StrategyLine.class);

    private Mitigations() {}

    private static <T> @Nullable T change(Mitigation row, Function<StrategyChange, @Nullable T> of) {
        StrategyChange change = row.change();
        return change == null ? null : of.apply(change);
    }

    private static String outcome(Mitigation row) {
        return row.change() == null ? "" : row.change().toString();
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

    /** Net loss at the back with its interval; null without fixed content. */
    static @Nullable Estimate loss(Mitigation row) {
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
            List<String> notes = new ArrayList<>(
                    content.detail().explain() ? notes(own, content) : List.of("(change): against " + PLAIN));
            if (own.stream().anyMatch(row -> row.profile().hasThinPsi())) {
                notes.add(Profile.THIN_PSI);
            }
            tables.add(changes(own, content).table(title + ", " + measure + " in points", own, notes));
            if (content.costs()) {
                tables.add(costs(content.detail().digits())
                        .table(title + ": costs", own, content.detail().explain() ? List.of(COST) : List.of()));
            }
        });
        return tables;
    }

    private static Columns<Mitigation> costs(int digits) {
        return new Columns<Mitigation>(digits)
                .label("strategy", Mitigations::name)
                .number("vectors each", NumberFormat.STRENGTH, row -> row.cost().vectorsPerPassage())
                .number("MB", NumberFormat.LENGTH, row -> row.cost().megabytes())
                .number("index s", NumberFormat.LENGTH, row -> row.cost().indexSeconds())
                .number("ms/query", NumberFormat.STRENGTH, row -> row.cost().queryMilliseconds())
                .number("truncated", NumberFormat.PERCENT, row -> row.cost().unread());
    }

    private static Columns<Mitigation> changes(List<Mitigation> rows, Content content) {
        boolean hasLoss = rows.stream().anyMatch(row -> loss(row) != null);
        return new Columns<Mitigation>()
                .label("strategy", Mitigations::name)
                .text(
                        "mean (change)",
                        row -> changed(row.profile().queryMean(), mean(row), NumberFormat.POINTS, content))
                .text(
                        "PSI (change)",
                        row -> row.profile().hasThinPsi()
                                ? NumberFormat.NONE
                                : changed(row.profile().psi().value(), psi(row), NumberFormat.FRACTION, content))
                .text(
                        "worst (change)",
                        row -> changed(row.summary(BucketSummary.WORST), worst(row), NumberFormat.POINTS, content))
                .when(
                        hasLoss,
                        columns -> columns.text(
                                "loss at back (change)",
                                row -> changed(
                                        of(loss(row), Estimate::value),
                                        lossChange(row),
                                        NumberFormat.PERCENT,
                                        content)))
                .number("vectors", NumberFormat.STRENGTH, row -> row.cost().vectorsPerPassage())
                .text("outcome", Mitigations::outcome);
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
                "balances, mean undetermined: PSI down, mean shown neither to hold nor to be down; trade-off: PSI and mean down",
                "shifts: another bucket is the worst; worse: PSI up, or mean down without PSI",
                "truncation: PSI is down only where evidence was not read",
                "outcomes by " + NumberFormat.percent(content.criteria().confidence()) + " intervals and Holm p over "
                        + Plural.of(rows.size() - 1, "strategy") + ", " + content.draws()
                        + " draws; queries of a passage count as one"));
        rows.stream()
                .map(Mitigation::change)
                .filter(Objects::nonNull)
                .map(StrategyChange::read)
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

    public static Table raw(List<Mitigation> rows) {
        return LINES.table(lines(rows));
    }

    private static List<StrategyLine> lines(List<Mitigation> rows) {
        return rows.stream().map(StrategyLine::of).toList();
    }

    /** Describes what is written. */
    public static Study study() {
        return new Study(
                "mitigation-2",
                MitigationFile.class,
                new Study.Csv(
                        "A line for each model on each benchmark, and for each strategy around it; what is a change, or about the queries that the model reads, is empty for the model itself.",
                        LINES),
                null);
    }

    /**
     * JSON of strategies.
     *
     * @param confidence of intervals; 1 - confidence is the level of outcomes
     * @param margin largest drop of the mean that counts as none, as a fraction
     */
    public record MitigationFile(
            String schema,
            String measure,
            int draws,
            long seed,
            double confidence,
            double margin,
            List<StrategyLine> strategies,
            List<String> advice) {}

    public static MitigationFile document(
            String measure, List<Mitigation> rows, int draws, long seed, Effect.Criteria criteria) {
        return new MitigationFile(
                "posbias/mitigation/2",
                measure,
                draws,
                seed,
                criteria.confidence(),
                criteria.margin(),
                lines(rows),
                Advice.of(rows, criteria));
    }
}
