package io.posbias.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Plural;
import io.posbias.measure.Comparison;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.PositionLoss;
import io.posbias.position.Strata;
import io.posbias.stats.Estimate;
import io.posbias.stats.Holm;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Comparisons of systems as a table and as JSON. */
public final class Comparisons {
    private Comparisons() {}

    /**
     * Two systems, one of many pairs.
     *
     * @param second name of the second; differences are second minus first
     * @param fixed with the content held fixed; null where that is not known of both
     */
    public record Pair(
            String dataset,
            String first,
            String second,
            Comparison comparison,
            ContentFixedFit.@Nullable Difference fixed) {
        private @Nullable Estimate psi() {
            return comparison.psi() == null ? null : comparison.psi().difference();
        }

        /** By randomisation or else by the t test. */
        private @Nullable Double pValue() {
            Double randomisation = comparison.randomisation();
            return randomisation == null ? (Double) comparison.difference().pValue() : randomisation;
        }
    }

    private record AdjustedPair(
            Pair pair, @Nullable Double holm, @Nullable Double holmPsi) {
        Comparison comparison() {
            return pair.comparison();
        }

        Estimate difference() {
            return comparison().difference();
        }

        Comparison.@Nullable PsiDifference psi() {
            return comparison().psi();
        }
    }

    private static List<AdjustedPair> adjusted(List<Pair> pairs) {
        List<@Nullable Double> means = adjust(pairs, Pair::pValue);
        List<@Nullable Double> psi = adjust(
                pairs, pair -> pair.psi() == null ? null : (Double) pair.psi().pValue());
        return IntStream.range(0, pairs.size())
                .mapToObj(i -> new AdjustedPair(pairs.get(i), means.get(i), psi.get(i)))
                .toList();
    }

    private static List<@Nullable Double> adjust(List<Pair> pairs, Function<Pair, @Nullable Double> of) {
        List<@Nullable Double> own = new ArrayList<>();
        pairs.forEach(pair -> own.add(of.apply(pair)));
        return Holm.adjustPresent(own);
    }

    private static final String DATASETS = "datasets";

    private static final Sheet<AdjustedPair> ROWS = new Sheet<AdjustedPair>()
            .label("comparison", row -> row.pair().first() + " / " + row.pair().second())
            .only(Sheet.In.PRINT)
            .part(DATASETS)
            .label(
                    "dataset",
                    row -> row.pair().dataset() + suffix(row.comparison().stratum()))
            .only(Sheet.In.PRINT)
            .part("")
            .plain("dataset", row -> row.pair().dataset())
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("first", row -> row.pair().first())
            .means("name of the first system")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("second", row -> row.pair().second())
            .means("name of the second; differences are second minus first")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("measure", row -> row.comparison().measure())
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("stratum", row -> row.comparison().stratum())
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("queries", row -> row.comparison().queries())
            .means("queries that both were scored on", "count")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("units", row -> row.comparison().clusters())
            .means("groups of queries that count as one, as those of one passage do", "count")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .under("mean")
            .number("first_mean", NumberFormat.POINTS, row -> row.comparison().firstMean())
            .means("mean over queries of the first system")
            .headed("first")
            .number("second_mean", NumberFormat.POINTS, row -> row.comparison().secondMean())
            .means("mean over queries of the second")
            .headed("second")
            .number(
                    "difference",
                    NumberFormat.SIGNED_POINTS,
                    row -> row.difference().value())
            .means("second mean minus first")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval(
                    "interval",
                    NumberFormat.SIGNED_POINTS,
                    row -> row.difference().interval())
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .number("p_value", NumberFormat.P, row -> row.difference().pValue())
            .means("paired t test of the difference, by units")
            .only(Sheet.In.CSV)
            .plain("difference", AdjustedPair::difference)
            .only(Sheet.In.JSON)
            .number(
                    "randomisation_p_value",
                    NumberFormat.P,
                    row -> row.comparison().randomisation())
            .means("paired randomisation test of the difference; empty without draws")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .number("p", NumberFormat.P, row -> row.pair().pValue())
            .only(Sheet.In.PRINT)
            .number("holm_p_value", NumberFormat.P, AdjustedPair::holm)
            .means("the test whose p tables show, adjusted for all comparisons of the table")
            .headed("Holm p")
            .under("PSI")
            .number(
                    "psi_difference",
                    NumberFormat.SIGNED_FRACTION,
                    row -> row.psi() == null ? null : row.psi().value())
            .means("PSI of the second minus that of the first")
            .headed("difference")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .interval("psi_interval", NumberFormat.SIGNED_FRACTION, row -> psi(row, Estimate::interval))
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .number("psi_p_value", NumberFormat.P, row -> psi(row, Estimate::pValue))
            .means("Wald's test that both profiles differ in level only; empty where a bucket has too few queries")
            .headed("p")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .none(Comparisons::untested)
            .number("psi_holm_p_value", NumberFormat.P, AdjustedPair::holmPsi)
            .means("the same, adjusted for all comparisons of the table")
            .headed("Holm p")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .under("queries")
            .plain("units", row -> row.comparison().clusters())
            .only(Sheet.In.PRINT)
            .plain("wins", row -> row.comparison().wins())
            .means("queries on which the second is better", "count")
            .plain("ties", row -> row.comparison().ties())
            .means("queries on which both are equal", "count")
            .plain("losses", row -> row.comparison().losses())
            .means("queries on which the second is worse", "count")
            .plain("psi", row -> row.psi() == null ? null : new AdjustedPsi(row.psi(), row.holmPsi()))
            .only(Sheet.In.JSON)
            .number("loss_difference", NumberFormat.SIGNED_PERCENT, row -> loss(row, Estimate::value))
            .means(
                    "net loss at the back of the second minus that of the first; empty where the content was not held fixed")
            .only(Sheet.In.CSV)
            .interval("loss_interval", NumberFormat.SIGNED_PERCENT, row -> loss(row, Estimate::interval))
            .only(Sheet.In.CSV)
            .number("loss_p_value", NumberFormat.P, row -> loss(row, Estimate::pValue))
            .means("paired t test of the same, by units")
            .only(Sheet.In.CSV)
            .plain("buckets", row -> row.comparison().buckets())
            .only(Sheet.In.JSON)
            .plain("content_fixed", row -> row.pair().fixed())
            .only(Sheet.In.JSON);

    private static final Sheet<AdjustedPair> FIXED = new Sheet<AdjustedPair>()
            .label("comparison", row -> row.pair().first() + " / " + row.pair().second())
            .part(DATASETS)
            .label("dataset", row -> row.pair().dataset())
            .part("")
            .plain("queries", row -> fixed(row).queries())
            .plain("units", row -> fixed(row).clusters())
            .under("loss at back")
            .number("first", NumberFormat.PERCENT, row -> ofLoss(row, PositionLoss.Change::first))
            .number("second", NumberFormat.PERCENT, row -> ofLoss(row, PositionLoss.Change::second))
            .estimate(
                    "difference",
                    "loss",
                    "loss_p",
                    NumberFormat.SIGNED_PERCENT,
                    row -> ofLoss(row, PositionLoss.Change::difference))
            .under("cPSI")
            .number("difference", NumberFormat.SIGNED_FRACTION, row -> cpsi(row, Estimate::value))
            .interval("interval", NumberFormat.SIGNED_FRACTION, row -> cpsi(row, Estimate::interval))
            .number("p", NumberFormat.P, row -> cpsi(row, Estimate::pValue))
            .under("front - back")
            .estimate(
                    "difference",
                    "front",
                    "front_p",
                    NumberFormat.SIGNED_POINTS,
                    row -> fixed(row).frontMinusBack())
            .under("middle - ends")
            .estimate(
                    "difference",
                    "middle",
                    "middle_p",
                    NumberFormat.SIGNED_POINTS,
                    row -> fixed(row).middleMinusEnds());

    private static String untested(AdjustedPair row) {
        return row.comparison().hasTooFewForPsi() ? NumberFormat.TOO_FEW : NumberFormat.NONE;
    }

    private static <T> @Nullable T ofLoss(AdjustedPair row, Function<PositionLoss.Change, T> part) {
        ContentFixedFit.Difference fixed = row.pair().fixed();
        return fixed == null || fixed.loss() == null ? null : part.apply(fixed.loss());
    }

    private static <T> @Nullable T loss(AdjustedPair row, Function<Estimate, T> number) {
        return ofLoss(row, change -> number.apply(change.difference()));
    }

    private static ContentFixedFit.Difference fixed(AdjustedPair row) {
        return Objects.requireNonNull(row.pair().fixed());
    }

    private static <T> @Nullable T cpsi(AdjustedPair row, Function<Estimate, T> number) {
        Comparison.PsiDifference cpsi = fixed(row).cpsi();
        return cpsi == null || cpsi.difference() == null ? null : number.apply(cpsi.difference());
    }

    private static String suffix(String stratum) {
        return stratum.equals(Strata.ALL) ? "" : " " + stratum;
    }

    private static <T> @Nullable T psi(AdjustedPair row, Function<Estimate, T> number) {
        Estimate difference = row.pair().psi();
        return difference == null ? null : number.apply(difference);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record AdjustedPsi(
            @JsonUnwrapped Comparison.PsiDifference psi,
            @JsonProperty("holm_p_value") @Nullable Double holmPValue) {}

    /**
     * One row for each pair: means, their difference and its p-value, PSI likewise, and wins; with content held fixed. One
     * dataset is named in the title.
     */
    public static List<Table> tables(String measure, List<Pair> pairs, int draws, double confidence) {
        List<AdjustedPair> rows = adjusted(pairs);
        List<String> datasets = pairs.stream()
                .map(pair -> pair.dataset() + suffix(pair.comparison().stratum()))
                .distinct()
                .toList();
        String part = datasets.size() > 1 ? DATASETS : "";
        String title = (datasets.size() > 1 ? "" : datasets.getFirst() + ", ") + measure;
        List<Table> tables = new ArrayList<>(List.of(ROWS.table(
                part,
                title + " in points (x100): systems on the same queries",
                rows,
                notes(pairs.size(), draws, confidence))));
        List<AdjustedPair> fixed =
                rows.stream().filter(row -> row.pair().fixed() != null).toList();
        if (!fixed.isEmpty()) {
            tables.add(FIXED.table(
                    part,
                    title + ": systems with the content held fixed",
                    fixed,
                    List.of(
                            "differences: second minus first, paired by query and place; loss at back: 1 - back / front",
                            "intervals: " + NumberFormat.percent(confidence)
                                    + "; p: not adjusted for the number of comparisons")));
        }
        return tables;
    }

    private static List<String> notes(int pairs, int draws, double confidence) {
        String percent = NumberFormat.percent(confidence);
        List<String> notes = new ArrayList<>();
        notes.add("differences: second minus first; wins: queries on which the second is better");
        notes.add("units: queries that share a passage count as one");
        notes.add("mean: interval " + percent + ", paired t; p by "
                + (draws > 0 ? "paired randomisation, " + draws + " draws" : "the same test"));
        if (draws > 0) {
            notes.add("PSI: interval " + percent
                    + ", paired bootstrap and Wald's test that profiles differ in level only");
        }
        notes.add("Holm p: adjusted for the " + Plural.of(pairs, "comparison") + " of this table");
        return notes;
    }

    /** The columns of {@link #raw}, for the reference. */
    public static Sheet<?> columns() {
        return ROWS;
    }

    /** All numbers in full precision, a row for each pair and stratum: what CSV holds. */
    public static Table raw(List<Pair> pairs) {
        return ROWS.raw(adjusted(pairs));
    }

    /** JSON of comparisons. */
    public record ComparisonFile(
            String schema, int draws, long seed, double confidence, List<Map<String, @Nullable Object>> comparisons) {}

    /** All numbers as a record of JSON. */
    public static ComparisonFile document(List<Pair> pairs, int draws, long seed, double confidence) {
        return new ComparisonFile("posbias/comparison/1", draws, seed, confidence, ROWS.records(adjusted(pairs)));
    }
}
