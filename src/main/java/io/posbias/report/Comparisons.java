package io.posbias.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Plural;
import io.posbias.measure.Comparison;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.PositionLoss;
import io.posbias.position.Strata;
import io.posbias.report.profile.BucketDrop;
import io.posbias.stats.Estimate;
import io.posbias.stats.Holm;
import io.posbias.table.Detail;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Comparisons of systems as a table and as JSON. */
public final class Comparisons {
    private Comparisons() {}

    /**
     * A pair of systems; differences are second minus first.
     *
     * @param fixed difference with the content held fixed; null unless known for both
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
            Pair pair,
            @Nullable Double holm,
            @Nullable Double holmPsi,
            @Nullable Double holmLoss) {
        Comparison comparison() {
            return pair.comparison();
        }

        Estimate difference() {
            return comparison().difference();
        }

        Comparison.@Nullable PsiDifference psi() {
            return comparison().psi();
        }

        PositionLoss.@Nullable Change loss() {
            return pair.fixed() == null ? null : pair.fixed().loss();
        }

        String group() {
            return pair.dataset() + suffix(comparison().stratum());
        }
    }

    private enum Quantity {
        MEAN(NumberFormat.POINTS, NumberFormat.SIGNED_POINTS, true),
        PSI(NumberFormat.FRACTION, NumberFormat.SIGNED_FRACTION, false),
        LOSS(NumberFormat.PERCENT, NumberFormat.SIGNED_PERCENT, false);

        private final NumberFormat unit;
        private final NumberFormat signed;
        private final boolean moreIsBetter;

        Quantity(NumberFormat unit, NumberFormat signed, boolean moreIsBetter) {
            this.unit = unit;
            this.signed = signed;
            this.moreIsBetter = moreIsBetter;
        }

        String header(String measure) {
            return this == MEAN ? measure : this == PSI ? "PSI" : "loss at back";
        }

        double @Nullable [] values(AdjustedPair row) {
            Comparison comparison = row.comparison();
            return switch (this) {
                case MEAN -> new double[] {comparison.firstMean(), comparison.secondMean()};
                case PSI ->
                    row.psi() == null
                            ? null
                            : new double[] {row.psi().first(), row.psi().second()};
                case LOSS ->
                    row.loss() == null
                            ? null
                            : new double[] {row.loss().first(), row.loss().second()};
            };
        }

        @Nullable
        Estimate difference(AdjustedPair row) {
            return switch (this) {
                case MEAN -> row.difference();
                case PSI -> row.pair().psi();
                case LOSS -> row.loss() == null ? null : row.loss().difference();
            };
        }

        @Nullable
        Double pValue(AdjustedPair row) {
            Estimate difference = difference(row);
            return this == MEAN ? row.pair().pValue() : difference == null ? null : (Double) difference.pValue();
        }

        @Nullable
        Double holm(AdjustedPair row) {
            return this == MEAN ? row.holm() : this == PSI ? row.holmPsi() : row.holmLoss();
        }
    }

    private static List<AdjustedPair> adjusted(List<Pair> pairs) {
        List<AdjustedPair> plain = pairs.stream()
                .map(pair -> new AdjustedPair(pair, null, null, null))
                .toList();
        List<@Nullable Double> means = adjust(plain, Quantity.MEAN);
        List<@Nullable Double> psi = adjust(plain, Quantity.PSI);
        List<@Nullable Double> losses = adjust(plain, Quantity.LOSS);
        return IntStream.range(0, pairs.size())
                .mapToObj(i -> new AdjustedPair(pairs.get(i), means.get(i), psi.get(i), losses.get(i)))
                .toList();
    }

    private static List<@Nullable Double> adjust(List<AdjustedPair> pairs, Quantity quantity) {
        List<@Nullable Double> own = new ArrayList<>();
        pairs.forEach(pair -> own.add(quantity.pValue(pair)));
        return Holm.adjustPresent(own);
    }

    private static final String DATASETS = "datasets";

    private static final Sheet<AdjustedPair> ROWS = new Sheet<AdjustedPair>()
            .label("comparison", row -> row.pair().first() + " / " + row.pair().second())
            .only(Sheet.In.PRINT)
            .part(DATASETS)
            .label("dataset", AdjustedPair::group)
            .only(Sheet.In.PRINT)
            .part("")
            .plain("dataset", row -> row.pair().dataset())
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("first", row -> row.pair().first())
            .means("name of the first system")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("second", row -> row.pair().second())
            .means("name of the second system; differences are second minus first")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("measure", row -> row.comparison().measure())
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("stratum", row -> row.comparison().stratum())
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("queries", row -> row.comparison().queries())
            .means("queries with scores of both", "count")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .plain("units", row -> row.comparison().clusters())
            .means("clusters of queries, for example of one passage", "count")
            .only(Sheet.In.CSV, Sheet.In.JSON)
            .under("mean")
            .number("first_mean", NumberFormat.POINTS, row -> row.comparison().firstMean())
            .means("mean over queries of the first system")
            .headed("first")
            .number("second_mean", NumberFormat.POINTS, row -> row.comparison().secondMean())
            .means("mean over queries of the second system")
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
            .means(
                    "p-value of the randomisation test (t test without draws), adjusted for all comparisons of the table")
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
            .means("Wald's test that both profiles differ in level only; empty if a bucket has too few queries")
            .headed("p")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .none(Comparisons::untested)
            .number("psi_holm_p_value", NumberFormat.P, AdjustedPair::holmPsi)
            .means("`psi_p_value`, adjusted for all comparisons of the table")
            .headed("Holm p")
            .only(Sheet.In.PRINT, Sheet.In.CSV)
            .under("queries")
            .plain("clusters", row -> row.comparison().clusters())
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
            .means("net loss at the back of the second minus that of the first; empty without fixed" + " content")
            .only(Sheet.In.CSV)
            .interval("loss_interval", NumberFormat.SIGNED_PERCENT, row -> loss(row, Estimate::interval))
            .only(Sheet.In.CSV)
            .number("loss_p_value", NumberFormat.P, row -> loss(row, Estimate::pValue))
            .means("paired t test of `loss_difference`, by units")
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
            .plain("clusters", row -> fixed(row).clusters())
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
     * Contents of tables.
     *
     * @param details true for a row per pair with all tests, not a matrix of systems
     */
    public record Content(int draws, double confidence, boolean details, Detail detail) {}

    /**
     * Makes a matrix of systems and quantities per dataset and stratum, whose letters name the systems that a system
     * beats; with details a row per pair.
     */
    public static List<Table> tables(String measure, List<Pair> pairs, Content content) {
        List<AdjustedPair> rows = adjusted(pairs);
        if (content.details()) {
            return details(measure, rows, content);
        }
        return rows.stream()
                .collect(Collectors.groupingBy(AdjustedPair::group, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(group -> matrix(group.getKey(), measure, group.getValue(), pairs.size(), content))
                .toList();
    }

    /** Prints the only pair, a line for each quantity; empty for several pairs. */
    public static List<String> lines(String measure, List<Pair> pairs, Content content) {
        if (pairs.size() > 1) {
            return List.of();
        }
        AdjustedPair row = adjusted(pairs).getFirst();
        int digits = content.detail().digits();
        List<String> lines = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            double[] values = quantity.values(row);
            Estimate difference = quantity.difference(row);
            if (values != null) {
                lines.add(row.group() + ", " + quantity.header(measure) + ": "
                        + row.pair().second() + " - " + row.pair().first() + ": "
                        + quantity.signed.print(values[1] - values[0], digits)
                        + (difference == null ? "" : " " + quantity.signed.print(difference.interval(), digits))
                        + ", p " + (difference == null ? untested(row) : NumberFormat.P.print(quantity.pValue(row))));
            }
        }
        Comparison comparison = row.comparison();
        lines.add(row.pair().second() + " is better on " + comparison.wins() + " of "
                + Plural.of(comparison.queries(), "query") + ", worse on " + comparison.losses() + " (--details)");
        if (content.detail().explain()) {
            lines.addAll(notes(1, content));
        }
        return lines;
    }

    private static final class Compared {
        private final String letter;
        private final String name;
        private final Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
        private final Map<Quantity, String> worse = new EnumMap<>(Quantity.class);
        private @Nullable BucketDrop drop;

        Compared(String name, int number) {
            this.letter = (char) ('a' + number % 26) + (number < 26 ? "" : String.valueOf(number / 26));
            this.name = name;
        }

        String text(Quantity quantity, int width, int digits) {
            String letters = worse.getOrDefault(quantity, "");
            String number = quantity.unit.print(values.get(quantity), digits);
            return width == 0 ? number : number + " " + letters + " ".repeat(width - letters.length());
        }
    }

    private static Table matrix(
            String group, String measure, List<AdjustedPair> pairs, int comparisons, Content content) {
        Map<String, Compared> systems = new LinkedHashMap<>();
        for (AdjustedPair row : pairs) {
            Compared first = systems.computeIfAbsent(row.pair().first(), name -> new Compared(name, systems.size()));
            Compared second = systems.computeIfAbsent(row.pair().second(), name -> new Compared(name, systems.size()));
            first.drop = BucketDrop.of(row.comparison().buckets(), Comparison.Bucket::firstMean);
            second.drop = BucketDrop.of(row.comparison().buckets(), Comparison.Bucket::secondMean);
            for (Quantity quantity : Quantity.values()) {
                compare(row, quantity, first, second, 1 - content.confidence());
            }
        }
        int digits = content.detail().digits();
        Sheet<Compared> sheet = new Sheet<Compared>().label("model", system -> system.letter + " " + system.name);
        for (Quantity quantity : Quantity.values()) {
            if (systems.values().stream().anyMatch(system -> system.values.containsKey(quantity))) {
                int width = systems.values().stream()
                        .mapToInt(system ->
                                system.worse.getOrDefault(quantity, "").length())
                        .max()
                        .orElse(0);
                sheet.plain(quantity.header(measure), system -> system.text(quantity, width, digits));
            }
        }
        if (systems.values().stream().anyMatch(system -> system.drop != null)) {
            BucketDrop.columns(sheet, system -> system.drop);
        }
        List<String> notes = new ArrayList<>(List.of("letters: better than these (Holm p < " + level(content) + ", "
                + Plural.of(comparisons, "comparison") + "); --details"));
        if (content.detail().explain()) {
            notes.addAll(notes(comparisons, content));
            notes.add(BucketDrop.MEANING);
        }
        return sheet.digits(digits).table(group + ", " + measure + " in points", List.copyOf(systems.values()), notes);
    }

    private static void compare(AdjustedPair row, Quantity quantity, Compared first, Compared second, double level) {
        double[] values = quantity.values(row);
        if (values == null) {
            return;
        }
        first.values.put(quantity, values[0]);
        second.values.put(quantity, values[1]);
        Double p = quantity.holm(row);
        if (p != null && p < level && values[0] != values[1]) {
            boolean secondWins = values[1] > values[0] == quantity.moreIsBetter;
            (secondWins ? second : first).worse.merge(quantity, (secondWins ? first : second).letter, String::concat);
        }
    }

    private static String level(Content content) {
        return BigDecimal.valueOf(1 - content.confidence())
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static List<Table> details(String measure, List<AdjustedPair> rows, Content content) {
        List<String> datasets =
                rows.stream().map(AdjustedPair::group).distinct().toList();
        String part = datasets.size() > 1 ? DATASETS : "";
        String title = (datasets.size() > 1 ? "" : datasets.getFirst() + ", ") + measure;
        boolean explain = content.detail().explain();
        int digits = content.detail().digits();
        List<Table> tables = new ArrayList<>(List.of(ROWS.digits(digits)
                .table(
                        part,
                        title + " in points: second minus first",
                        rows,
                        explain ? notes(rows.size(), content) : List.of())));
        List<AdjustedPair> fixed =
                rows.stream().filter(row -> row.pair().fixed() != null).toList();
        if (!fixed.isEmpty()) {
            tables.add(FIXED.digits(digits)
                    .table(
                            part,
                            title + " with the content held fixed: second minus first",
                            fixed,
                            explain
                                    ? List.of(
                                            "paired by query and place; loss at back: 1 - back / front",
                                            "intervals: " + NumberFormat.percent(content.confidence())
                                                    + "; p: not adjusted for the number of comparisons")
                                    : List.of()));
        }
        return tables;
    }

    private static List<String> notes(int pairs, Content content) {
        String percent = NumberFormat.percent(content.confidence());
        List<String> notes = new ArrayList<>();
        notes.add("wins: queries on which the second is better; clusters: queries that share a passage");
        notes.add("mean: interval " + percent + ", paired t; p by "
                + (content.draws() > 0 ? "paired randomisation, " + content.draws() + " draws" : "the same test"));
        if (content.draws() > 0) {
            notes.add("PSI: interval " + percent
                    + ", paired bootstrap and Wald's test that profiles differ in level only");
        }
        notes.add("Holm p: adjusted for the " + Plural.of(pairs, "comparison"));
        return notes;
    }

    public static Sheet<?> columns() {
        return ROWS;
    }

    public static Table raw(List<Pair> pairs) {
        return ROWS.raw(adjusted(pairs));
    }

    /** JSON of comparisons. */
    public record ComparisonFile(
            String schema, int draws, long seed, double confidence, List<Map<String, @Nullable Object>> comparisons) {}

    public static ComparisonFile document(List<Pair> pairs, int draws, long seed, double confidence) {
        return new ComparisonFile("posbias/comparison/1", draws, seed, confidence, ROWS.records(adjusted(pairs)));
    }
}
