package io.posbias.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.measure.Comparison;
import io.posbias.measure.ContentFixedFit;
import io.posbias.position.Strata;
import io.posbias.stats.Estimate;
import io.posbias.stats.Holm;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
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
     * @param dataset on which
     * @param first name of the first system
     * @param second name of the second; differences are second minus first
     * @param comparison of the two
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

    /** A pair with the p-values of its mean difference and its PSI difference, each adjusted for all pairs. */
    private record Row(
            Pair pair, @Nullable Double holm, @Nullable Double holmPsi) {
        Comparison comparison() {
            return pair.comparison();
        }

        Comparison.@Nullable PsiDifference psi() {
            return comparison().psi();
        }
    }

    private static List<Row> adjusted(List<Pair> pairs) {
        List<@Nullable Double> means = adjust(pairs, Pair::pValue);
        List<@Nullable Double> psi = adjust(
                pairs, pair -> pair.psi() == null ? null : (Double) pair.psi().pValue());
        return IntStream.range(0, pairs.size())
                .mapToObj(i -> new Row(pairs.get(i), means.get(i), psi.get(i)))
                .toList();
    }

    /** Those there are, adjusted for each other. */
    private static List<@Nullable Double> adjust(List<Pair> pairs, Function<Pair, @Nullable Double> of) {
        double[] adjusted = Holm.adjust(pairs.stream()
                .map(of)
                .filter(Objects::nonNull)
                .mapToDouble(p -> p)
                .toArray());
        List<@Nullable Double> all = new ArrayList<>();
        int next = 0;
        for (Pair pair : pairs) {
            all.add(of.apply(pair) == null ? null : (Double) adjusted[next++]);
        }
        return all;
    }

    private static final Sheet<Row> ROWS = new Sheet<Row>()
            .plain("comparison", row -> row.pair().first() + " / " + row.pair().second())
            .only(Sheet.In.PRINT)
            .plain(
                    "dataset",
                    row -> row.pair().dataset() + suffix(row.comparison().stratum()))
            .only(Sheet.In.PRINT)
            .plain("dataset", row -> row.pair().dataset())
            .only(Sheet.In.JSON)
            .plain("first", row -> row.pair().first())
            .only(Sheet.In.JSON)
            .plain("second", row -> row.pair().second())
            .only(Sheet.In.JSON)
            .plain("measure", row -> row.comparison().measure())
            .only(Sheet.In.JSON)
            .plain("stratum", row -> row.comparison().stratum())
            .only(Sheet.In.JSON)
            .plain("queries", row -> row.comparison().queries())
            .only(Sheet.In.JSON)
            .plain("units", row -> row.comparison().clusters())
            .under("mean in points (x100)")
            .number("first_mean", Unit.POINTS, row -> row.comparison().firstMean())
            .headed("first")
            .number("second_mean", Unit.POINTS, row -> row.comparison().secondMean())
            .headed("second")
            .estimate(
                    "difference",
                    "interval",
                    "p_value",
                    Unit.SIGNED_POINTS,
                    row -> row.comparison().difference())
            .headed("difference", "interval", "t p")
            .number("randomisation_p_value", Unit.P, row -> row.comparison().randomisation())
            .headed("rand p")
            .number("holm_p_value", Unit.P, Row::holm)
            .headed("Holm p")
            .under("queries")
            .plain("wins", row -> row.comparison().wins())
            .plain("ties", row -> row.comparison().ties())
            .plain("losses", row -> row.comparison().losses())
            .under("PSI")
            .number(
                    "difference",
                    Unit.SIGNED_FRACTION,
                    row -> row.psi() == null ? null : row.psi().value())
            .only(Sheet.In.PRINT)
            .interval("interval", Unit.SIGNED_FRACTION, row -> psi(row, Estimate::interval))
            .only(Sheet.In.PRINT)
            .number("p", Unit.P, row -> psi(row, Estimate::pValue))
            .only(Sheet.In.PRINT)
            .number("Holm p", Unit.P, Row::holmPsi)
            .only(Sheet.In.PRINT)
            .plain("psi", row -> row.psi() == null ? null : new Psi(row.psi(), row.holmPsi()))
            .only(Sheet.In.JSON)
            .plain("buckets", row -> row.comparison().buckets())
            .only(Sheet.In.JSON)
            .plain("content_fixed", row -> row.pair().fixed())
            .only(Sheet.In.JSON);

    private static final Sheet<Row> FIXED = new Sheet<Row>()
            .plain("comparison", row -> row.pair().first() + " / " + row.pair().second())
            .plain("dataset", row -> row.pair().dataset())
            .plain("queries", row -> fixed(row).queries())
            .plain("units", row -> fixed(row).clusters())
            .under("cPSI")
            .number("difference", Unit.SIGNED_FRACTION, row -> cpsi(row, Estimate::value))
            .interval("interval", Unit.SIGNED_FRACTION, row -> cpsi(row, Estimate::interval))
            .number("p", Unit.P, row -> cpsi(row, Estimate::pValue))
            .under("front - back")
            .estimate(
                    "difference",
                    "front",
                    "front_p",
                    Unit.SIGNED_POINTS,
                    row -> fixed(row).frontMinusBack())
            .under("middle - ends")
            .estimate(
                    "difference",
                    "middle",
                    "middle_p",
                    Unit.SIGNED_POINTS,
                    row -> fixed(row).middleMinusEnds());

    private static ContentFixedFit.Difference fixed(Row row) {
        return Objects.requireNonNull(row.pair().fixed());
    }

    private static <T> @Nullable T cpsi(Row row, Function<Estimate, T> number) {
        Comparison.PsiDifference cpsi = fixed(row).cpsi();
        return cpsi == null || cpsi.difference() == null ? null : number.apply(cpsi.difference());
    }

    private static String suffix(String stratum) {
        return stratum.equals(Strata.ALL) ? "" : " " + stratum;
    }

    private static <T> @Nullable T psi(Row row, Function<Estimate, T> number) {
        Estimate difference = row.pair().psi();
        return difference == null ? null : number.apply(difference);
    }

    /** PSI of both in JSON. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Psi(
            @JsonUnwrapped Comparison.PsiDifference psi,
            @JsonProperty("holm_p_value") @Nullable Double holmPValue) {}

    /** One row for each pair: means, their difference, both p-values, wins, and PSI likewise; with content held fixed. */
    public static List<Table> tables(String measure, List<Pair> pairs, int draws, double confidence) {
        List<Table> tables = new ArrayList<>(List.of(table(measure, pairs, draws, confidence)));
        List<Row> fixed = adjusted(pairs).stream()
                .filter(row -> row.pair().fixed() != null)
                .toList();
        if (!fixed.isEmpty()) {
            tables.add(FIXED.table(
                    measure + ": systems with the content held fixed",
                    fixed,
                    List.of("differences are second minus first; " + Unit.percent(confidence)
                            + " intervals, paired by query and place; p not adjusted for the number of comparisons")));
        }
        return tables;
    }

    private static Table table(String measure, List<Pair> pairs, int draws, double confidence) {
        String percent = Unit.percent(confidence);
        List<String> notes = new ArrayList<>();
        notes.add("differences are second minus first, wins those of the second; interval of the mean: " + percent
                + ", paired t; units: queries that count as one, for they share a passage");
        if (draws > 0) {
            notes.add("rand p: paired randomisation test, " + draws + " draws; PSI: " + percent
                    + ", paired bootstrap; p and interval also by Wald's test that profiles are equal but for level");
        }
        notes.add("Holm p: adjusted for the " + pairs.size() + " comparisons of this table");
        return ROWS.table(measure + ": systems on the same queries", adjusted(pairs), notes);
    }

    /**
     * What is printed as JSON.
     *
     * @param draws of randomisation tests and bootstraps
     * @param seed of both
     * @param confidence of intervals
     * @param comparisons in full precision
     */
    public record Document(
            String schema, int draws, long seed, double confidence, List<Map<String, @Nullable Object>> comparisons) {}

    /** All numbers as a record of JSON. */
    public static Document document(List<Pair> pairs, int draws, long seed, double confidence) {
        return new Document("posbias/comparison/1", draws, seed, confidence, ROWS.records(adjusted(pairs)));
    }
}
