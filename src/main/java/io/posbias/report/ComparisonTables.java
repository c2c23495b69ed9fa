package io.posbias.report;

import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Standing;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.report.profile.BucketDrop;
import io.posbias.score.measure.Comparison;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.PositionLoss;
import io.posbias.score.over.AdjustedPair;
import io.posbias.score.over.Pair;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Comparisons of systems as tables and as JSON. */
public final class ComparisonTables {
    private ComparisonTables() {}

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

        double @Nullable [] values(Pair pair) {
            Comparison comparison = pair.comparison();
            Comparison.PsiDifference psi = pair.comparison().psi();
            PositionLoss.Change loss = pair.loss();
            return switch (this) {
                case MEAN -> new double[] {comparison.firstMean(), comparison.secondMean()};
                case PSI -> psi == null ? null : new double[] {psi.first(), psi.second()};
                case LOSS -> loss == null ? null : new double[] {loss.first(), loss.second()};
            };
        }

        @Nullable
        Estimate difference(Pair pair) {
            return switch (this) {
                case MEAN -> pair.comparison().difference();
                case PSI -> pair.psiDifference();
                case LOSS -> pair.lossDifference();
            };
        }

        @Nullable
        Double pValue(Pair pair) {
            Estimate difference = difference(pair);
            return this == MEAN
                    ? (Double) pair.comparison().pValue()
                    : difference == null ? null : (Double) difference.pValue();
        }

        @Nullable
        Double holm(AdjustedPair row) {
            return this == MEAN ? row.holmPValue() : this == PSI ? row.psiHolmPValue() : row.lossHolmPValue();
        }
    }

    public static final RecordCsv<AdjustedPair> LINES = new RecordCsv<>(AdjustedPair.class);

    private static Columns<Estimate> difference(NumberFormat unit) {
        return new Columns<Estimate>()
                .number("difference", unit, Estimate::value)
                .interval(unit, Estimate::interval);
    }

    private static final Columns<Comparison> MEAN = new Columns<Comparison>()
            .number("first", NumberFormat.POINTS, Comparison::firstMean)
            .number("second", NumberFormat.POINTS, Comparison::secondMean)
            .part(Comparison::difference, difference(NumberFormat.SIGNED_POINTS))
            .number("p", NumberFormat.P, Comparison::pValue);

    private static final Columns<Comparison.PsiDifference> PSI = new Columns<Comparison.PsiDifference>()
            .number("difference", NumberFormat.SIGNED_FRACTION, Comparison.PsiDifference::value)
            .part(
                    Comparison.PsiDifference::difference,
                    new Columns<Estimate>().interval(NumberFormat.SIGNED_FRACTION, Estimate::interval));

    private static final Columns<Comparison> QUERIES = new Columns<Comparison>()
            .text("clusters", Comparison::clusters)
            .text("wins", Comparison::wins)
            .text("ties", Comparison::ties)
            .text("losses", Comparison::losses);

    private static final Columns<PositionLoss.Change> LOSS = new Columns<PositionLoss.Change>()
            .number("first", NumberFormat.PERCENT, PositionLoss.Change::first)
            .number("second", NumberFormat.PERCENT, PositionLoss.Change::second)
            .estimate("difference", NumberFormat.SIGNED_PERCENT, PositionLoss.Change::difference);

    private static final Columns<ContentFixedFit.Difference> FIXED = new Columns<ContentFixedFit.Difference>()
            .text("queries", ContentFixedFit.Difference::queries)
            .text("clusters", ContentFixedFit.Difference::clusters)
            .under("loss at back")
            .part(ContentFixedFit.Difference::loss, LOSS)
            .under("cPSI")
            .part(
                    ContentFixedFit.Difference::cpsi,
                    new Columns<Comparison.PsiDifference>()
                            .estimate("difference", NumberFormat.SIGNED_FRACTION, Comparison.PsiDifference::difference))
            .under("front - back")
            .estimate("difference", NumberFormat.SIGNED_POINTS, ContentFixedFit.Difference::frontMinusBack)
            .under("middle - ends")
            .estimate("difference", NumberFormat.SIGNED_POINTS, ContentFixedFit.Difference::middleMinusEnds);

    private static Columns<AdjustedPair> columns(boolean datasets, int digits) {
        return new Columns<AdjustedPair>(digits)
                .label("comparison", row -> row.pair().names())
                .when(
                        datasets,
                        columns -> columns.label("dataset", row -> row.pair().group()))
                .under("mean")
                .part(AdjustedPair::comparison, MEAN)
                .number("Holm p", NumberFormat.P, AdjustedPair::holmPValue)
                .under("PSI")
                .part(row -> row.comparison().psi(), PSI)
                .number(
                        "p",
                        NumberFormat.P,
                        row -> row.comparison().hasTooFewForPsi()
                                ? NumberFormat.TOO_FEW
                                : Quantity.PSI.pValue(row.pair()))
                .number("Holm p", NumberFormat.P, AdjustedPair::psiHolmPValue)
                .under("queries")
                .part(AdjustedPair::comparison, QUERIES);
    }

    private static Columns<AdjustedPair> fixedColumns(boolean datasets, int digits) {
        return new Columns<AdjustedPair>(digits)
                .label("comparison", row -> row.pair().names())
                .when(
                        datasets,
                        columns -> columns.label("dataset", row -> row.pair().dataset()))
                .part(row -> row.pair().contentFixed(), FIXED);
    }

    /**
     * Contents of tables.
     *
     * @param clusters what queries of one cluster share
     * @param details true for a row per pair with all tests, not a matrix of systems
     */
    public record Content(int draws, double confidence, String clusters, boolean details, Detail detail) {}

    /**
     * Makes a matrix of systems and quantities per dataset and stratum, whose letters name the systems that a system
     * beats; with details a row per pair.
     */
    public static List<Table> tables(String measure, List<Pair> pairs, Content content) {
        List<AdjustedPair> rows = AdjustedPair.of(pairs);
        if (content.details()) {
            return details(measure, rows, content);
        }
        return rows.stream()
                .collect(Collectors.groupingBy(row -> row.pair().group(), LinkedHashMap::new, Collectors.toList()))
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
        Pair pair = pairs.getFirst();
        Comparison comparison = pair.comparison();
        String untested = comparison.hasTooFewForPsi() ? NumberFormat.TOO_FEW : NumberFormat.NONE;
        int digits = content.detail().digits();
        List<String> lines = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            double[] values = quantity.values(pair);
            Estimate difference = quantity.difference(pair);
            if (values != null) {
                lines.add(pair.group() + ", " + quantity.header(measure) + ": " + pair.second() + " - " + pair.first()
                        + ": "
                        + quantity.signed.print(values[1] - values[0], digits)
                        + (difference == null ? "" : " " + quantity.signed.print(difference.interval(), digits))
                        + ", p " + (difference == null ? untested : NumberFormat.P.print(quantity.pValue(pair))));
            }
        }
        lines.add(pair.second() + " is better on " + comparison.wins() + " of "
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
            this.letter = Standing.letter(number);
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
        Columns<Compared> columns =
                new Columns<Compared>(digits).label("model", system -> system.letter + " " + system.name);
        for (Quantity quantity : Quantity.values()) {
            if (systems.values().stream().anyMatch(system -> system.values.containsKey(quantity))) {
                int width = systems.values().stream()
                        .mapToInt(system ->
                                system.worse.getOrDefault(quantity, "").length())
                        .max()
                        .orElse(0);
                columns.text(quantity.header(measure), system -> system.text(quantity, width, digits));
            }
        }
        if (systems.values().stream().anyMatch(system -> system.drop != null)) {
            BucketDrop.columns(columns, system -> system.drop);
        }
        List<String> notes = new ArrayList<>(
                List.of("letters: better than these (Holm p < " + NumberFormat.level(content.confidence()) + ", "
                        + Plural.of(comparisons, "comparison") + "); --details"));
        if (content.detail().explain()) {
            notes.addAll(notes(comparisons, content));
            notes.add(BucketDrop.MEANING);
        }
        return columns.table(group + ", " + measure + " in points", List.copyOf(systems.values()), notes);
    }

    private static void compare(AdjustedPair row, Quantity quantity, Compared first, Compared second, double level) {
        double[] values = quantity.values(row.pair());
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

    private static List<Table> details(String measure, List<AdjustedPair> rows, Content content) {
        List<String> groups =
                rows.stream().map(row -> row.pair().group()).distinct().toList();
        boolean several = groups.size() > 1;
        String title = (several ? "" : groups.getFirst() + ", ") + measure;
        boolean explain = content.detail().explain();
        int digits = content.detail().digits();
        List<Table> tables = new ArrayList<>(List.of(columns(several, digits)
                .table(
                        title + " in points: second minus first",
                        rows,
                        explain ? notes(rows.size(), content) : List.of())));
        List<AdjustedPair> fixed =
                rows.stream().filter(row -> row.pair().contentFixed() != null).toList();
        if (!fixed.isEmpty()) {
            tables.add(fixedColumns(several, digits)
                    .table(
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
        notes.add("wins: queries on which the second is better; clusters: " + content.clusters());
        notes.add("mean: interval " + percent + ", paired t; p by "
                + (content.draws() > 0 ? "paired randomisation, " + content.draws() + " draws" : "the same test"));
        if (content.draws() > 0) {
            notes.add("PSI: interval " + percent
                    + ", paired bootstrap and Wald's test that profiles differ in level only");
        }
        notes.add("Holm p: adjusted for the " + Plural.of(pairs, "comparison"));
        return notes;
    }

    public static Table raw(List<Pair> pairs) {
        return LINES.table(AdjustedPair.of(pairs));
    }

    public record ComparisonFile(
            String schema, int draws, long seed, double confidence, List<AdjustedPair> comparisons) {}

    public static ComparisonFile document(List<Pair> pairs, int draws, long seed, double confidence) {
        return new ComparisonFile("posbias/comparison/2", draws, seed, confidence, AdjustedPair.of(pairs));
    }
}
