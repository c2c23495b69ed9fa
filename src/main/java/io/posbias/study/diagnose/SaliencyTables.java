package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.CurveChart;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.WordMap;
import io.posbias.base.plot.WordMaps;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.study.diagnose.SaliencyDiagnosis.SaliencyFound;
import io.posbias.study.diagnose.SaliencySettings.SaliencyMethod;
import io.posbias.study.diagnose.SaliencySettings.SaliencyScale;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Saliency of models by one or several methods on the same pairs, as tables and figures. */
public final class SaliencyTables {
    private static final int SCALE = 1000;
    private static final String FIGURE_5 = "data/published/posir-figure5.csv";
    private static final int PAIRS = 3131;

    private final SaliencyPairs pairs;
    private final double confidence;
    private final List<List<Integer>> shown;
    private final List<SaliencyRow> rows = new ArrayList<>();
    private final List<SaliencyRow> published = new ArrayList<>();

    /**
     * @param shown indices of the examples among all {@linkplain SaliencyPairs#items items}
     */
    public SaliencyTables(SaliencyPairs pairs, double confidence, List<Integer> shown) {
        this.pairs = pairs;
        this.confidence = confidence;
        List<List<Integer>> items = pairs.items();
        this.shown = shown.stream().map(items::get).toList();
    }

    private record SaliencyRow(String model, String text, SaliencyFound found) {
        String label() {
            return text.isEmpty() ? model : model + ":" + text;
        }

        SaliencySettings settings() {
            return found.settings();
        }

        SaliencyMethod method() {
            return settings().method();
        }

        SaliencyProfile profile() {
            return Objects.requireNonNull(found.profiles().get(text));
        }

        @Nullable
        Double third(int number) {
            return profile().thirds().isEmpty()
                    ? null
                    : (Double) profile().thirds().get(number).mean();
        }

        SaliencyProfile.SaliencyContrast against() {
            return Objects.requireNonNull(profile().against());
        }

        SaliencyProfile.EvidenceSaliency evidence() {
            return Objects.requireNonNull(profile().evidence());
        }
    }

    public SaliencyTables with(Map<String, SaliencyFound> found) {
        found.forEach(
                (model, one) -> one.profiles().keySet().forEach(text -> rows.add(new SaliencyRow(model, text, one))));
        return this;
    }

    /** Adds the curves of PosIR's Figure 5 (arXiv:2601.08363), means over 3,131 pairs. */
    public SaliencyTables withPublished() {
        Map<String, List<SaliencyProfile.SaliencyMean>> curves = new LinkedHashMap<>();
        CsvRows.bundled(FIGURE_5)
                .forEach(row -> curves.computeIfAbsent(row.text("model"), model -> new ArrayList<>())
                        .add(new SaliencyProfile.SaliencyMean(row.parsedNumber("mean"), row.parsedNumber("sd"), null)));
        curves.forEach((model, points) -> published.add(new SaliencyRow(
                model + "*",
                "",
                new SaliencyFound(
                        settings().getFirst(),
                        List.of(),
                        null,
                        Map.of("", SaliencyProfile.published(points, PAIRS))))));
        return this;
    }

    private List<SaliencyRow> all() {
        return Stream.concat(rows.stream(), published.stream()).toList();
    }

    /** The reference of the next method's contrasts: the first model; null if there is none yet. */
    public SaliencyProfile.@Nullable SaliencyBaseline base() {
        return rows.isEmpty()
                ? null
                : rows.getFirst().found().base(rows.getFirst().model());
    }

    /**
     * An example with a model.
     *
     * @param words score by pairs of words; empty for methods other than DecompX
     */
    public record SaliencyExample(String name, List<SaliencyMap> maps, List<WordMap> words) {}

    public List<List<SaliencyExample>> examples() {
        return shown.stream()
                .map(places -> rows.stream()
                        .filter(row -> row.text().equals(pairs.texts().getFirst()))
                        .map(row -> example(
                                row,
                                places.stream().map(row.found().maps()::get).toList()))
                        .toList())
                .toList();
    }

    private SaliencyExample example(SaliencyRow row, List<SaliencyMap> maps) {
        List<WordMap> words = new ArrayList<>();
        for (SaliencyMap map : maps) {
            if (map.tokens() != null) {
                String title =
                        String.format(Locale.ROOT, "%s score %.4f", map.pair().text(), map.score());
                words.add(map.tokens().words(title.strip(), map.pair(), pairs));
            }
        }
        return new SaliencyExample(name(row), maps, words);
    }

    public SaliencyPairs pairs() {
        return pairs;
    }

    private String name(SaliencyRow row) {
        return hasSeveral() ? row.model() + ", " + row.method() : row.model();
    }

    private List<SaliencySettings> settings() {
        return rows.stream().map(SaliencyRow::settings).distinct().toList();
    }

    private boolean hasSeveral() {
        return settings().size() > 1;
    }

    private boolean isSigned() {
        return settings().stream().anyMatch(one -> one.method().isSigned());
    }

    private boolean isScaled() {
        return settings().getFirst().isScaled();
    }

    private SaliencyScale scale() {
        return settings().getFirst().scale();
    }

    public String describe() {
        return settings().stream().map(SaliencySettings::describe).collect(Collectors.joining("; "));
    }

    /** Words, tokens or both, in the plural. */
    public String units() {
        return settings().stream().map(one -> one.unit() + "s").distinct().collect(Collectors.joining(" or "));
    }

    private Columns<SaliencyRow> columns(Function<SaliencyRow, Integer> n) {
        return new Columns<SaliencyRow>()
                .text("model", SaliencyRow::label)
                .when(hasSeveral(), columns -> columns.text("method", SaliencyRow::method))
                .text("n", n);
    }

    public List<Table> tables() {
        String interval = "interval: " + NumberFormat.percent(confidence)
                + ", paired t; p not corrected for the number of models";
        String saliency = isSigned() ? "positive saliency" : "saliency";
        List<Table> tables = new ArrayList<>(List.of(thirds(saliency, interval)));
        List<SaliencyRow> contrasted =
                rows.stream().filter(row -> row.profile().against() != null).toList();
        if (!contrasted.isEmpty()) {
            tables.add(contrasts(contrasted, interval));
        }
        List<SaliencyRow> evident =
                rows.stream().filter(row -> row.profile().evidence() != null).toList();
        if (!evident.isEmpty()) {
            tables.add(evidence(evident, saliency, interval));
        }
        tables.add(curves());
        return tables;
    }

    private Table thirds(String saliency, String interval) {
        return columns(row -> row.profile().salient())
                .number("first", NumberFormat.POINTS, row -> row.third(0))
                .number("middle", NumberFormat.POINTS, row -> row.third(1))
                .number("last", NumberFormat.POINTS, row -> row.third(2))
                .estimate(
                        "first - last",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.profile().firstMinusLast())
                .table(
                        "Saliency by third of the document, % of " + saliency + " (" + describe() + ")",
                        rows,
                        Stream.of(
                                        Stream.of("means over pairs; " + interval),
                                        cut().stream(),
                                        pairs.data().note().stream())
                                .flatMap(lines -> lines)
                                .toList());
    }

    /** One line per model that truncates documents. */
    private List<String> cut() {
        return rows.stream()
                .filter(row -> row.found().cut() > 0)
                .filter(row -> row.text().equals(pairs.texts().getFirst()))
                .map(row -> name(row) + " reads less than the document of "
                        + row.found().cut() + " of " + Plural.of(pairs.size(), "pair")
                        + "; what it reads is taken for the document")
                .toList();
    }

    private Table contrasts(List<SaliencyRow> contrasted, String interval) {
        String base = name(rows.getFirst());
        return columns(row -> row.against().pairs())
                .estimate(
                        "difference",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.against().difference())
                .table(
                        "First - last third, minus that of " + base + " on the same pairs",
                        contrasted,
                        List.of("above 0: more saliency at the front than " + base + "; " + interval
                                + (hasSeveral() ? "; another method's difference is also one of methods" : "")));
    }

    private Table evidence(List<SaliencyRow> evident, String saliency, String interval) {
        return columns(row -> row.evidence().pairs())
                .number(
                        "saliency",
                        NumberFormat.POINTS,
                        row -> row.evidence().saliency().mean())
                .number(
                        "length",
                        NumberFormat.POINTS,
                        row -> row.evidence().length().mean())
                .estimate(
                        "difference",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.evidence().difference())
                .table(
                        "Saliency of the evidence: its share of " + saliency + " and of the length, in %",
                        evident,
                        List.of(interval));
    }

    private Table curves() {
        Columns<SaliencyRow> columns = columns(row -> row.profile().pairs());
        double unit = isScaled() ? 1 : SCALE;
        for (int i = 0; i < SaliencyProfile.BINS; i++) {
            int bin = i;
            columns.number(
                    10 * bin + "-" + 10 * (bin + 1) + "%",
                    isSigned() ? NumberFormat.SIGNED_FRACTION : NumberFormat.FRACTION,
                    row -> unit * row.profile().bins().get(bin).mean());
        }
        return columns.table(
                "Mean saliency by position in the document"
                        + (isScaled() ? "" : ", in the score's unit times " + SCALE),
                all(),
                Stream.concat(
                                Stream.of("scale " + scale() + ", " + scale().meaning()
                                        + (isSigned()
                                                ? "; below 0: the score is higher without"
                                                : "; a norm is never below 0")
                                        + "; intervals: --out, --plots"),
                                published.stream()
                                        .limit(1)
                                        .map(row -> "* PosIR's Figure 5, on other pairs: English documents of at least"
                                                + " 1,024 tokens, the evidence in their middle"))
                        .toList());
    }

    record SaliencyPoint(
            String model,
            @Meaning("how saliency was found") SaliencyMethod method,
            @Meaning("what each curve was divided by") SaliencyScale scale,

            @Meaning(value = "point of the curve, from 1 at the beginning of the document", unit = "number")
            int point,

            @Meaning("pairs of query and document") int pairs,
            @JsonUnwrapped SaliencyProfile.SaliencyMean value) {}

    public static final RecordCsv<SaliencyPoint> POINTS = new RecordCsv<>(SaliencyPoint.class);

    public Table raw() {
        List<SaliencyPoint> points = new ArrayList<>();
        for (SaliencyRow row : all()) {
            int point = 0;
            for (SaliencyProfile.SaliencyMean value : row.profile().points()) {
                point++;
                points.add(new SaliencyPoint(
                        row.label(),
                        row.method(),
                        row.settings().scale(),
                        point,
                        row.profile().pairs(),
                        value));
            }
        }
        return POINTS.table(points);
    }

    /**
     * Mean saliency by position, one panel per model. With one method the curve has bands of the t interval and of the standard
     * deviation over pairs, as in PosIR's Figure 5; with several methods, one curve each with the t interval. DecompX adds a
     * map of words per example.
     */
    public List<Figure> figures() {
        Map<String, List<CurveChart.Banded>> panels = new LinkedHashMap<>();
        all().forEach(row ->
                panels.computeIfAbsent(row.label(), model -> new ArrayList<>()).add(line(row)));
        List<Figure> figures = new ArrayList<>(List.of(CurveChart.panels(
                "saliency",
                "saliency by position in the document: " + pairs.dataset() + ", " + describe(),
                panels,
                new Interval(0, 100),
                isScaled(),
                "position in the document, % of its length",
                isScaled() ? "mean saliency" : "mean saliency, x " + SCALE,
                note())));
        examples().stream()
                .flatMap(List::stream)
                .filter(example -> !example.words().isEmpty())
                .forEach(example -> figures.add(WordMaps.figure(
                        "tokens-" + figures.size(),
                        example.name() + ", " + pairs.dataset() + ", query "
                                + example.maps().getFirst().pair().id(),
                        example.words(),
                        "Inner products of the parts that the query's and the document's words have in the two vectors"
                                + " (DecompX); all of a map sum to its score. Colours go with their square root.")));
        return figures;
    }

    private String note() {
        String bands = hasSeveral()
                ? "Band: t interval of the mean."
                : "Inner band: t interval of the mean; outer band: one standard deviation over pairs.";
        return bands
                + (isScaled()
                        ? " Scale " + scale() + ", " + scale().meaning() + (hasSeveral() ? ", each method's own." : ".")
                        : " Each model has its own axis: scores have different units.");
    }

    private CurveChart.Banded line(SaliencyRow row) {
        return new CurveChart.Banded(
                row.method() + ", scale " + scale(),
                "n = " + row.profile().pairs(),
                hasSeveral() ? List.of() : points(row, SaliencyTables::spread),
                points(row, SaliencyProfile.SaliencyMean::interval));
    }

    private List<Curves.Point> points(
            SaliencyRow row, Function<SaliencyProfile.SaliencyMean, @Nullable Interval> band) {
        double unit = isScaled() ? 1 : SCALE;
        List<SaliencyProfile.SaliencyMean> values = row.profile().points();
        List<Curves.Point> points = new ArrayList<>();
        for (SaliencyProfile.SaliencyMean value : values) {
            double x = 100.0 * points.size() / (values.size() - 1);
            Interval own = band.apply(value);
            points.add(new Curves.Point(x, unit * value.mean(), own == null ? null : own.times(unit), false));
        }
        return points;
    }

    private static @Nullable Interval spread(SaliencyProfile.SaliencyMean value) {
        Double deviation = value.deviation();
        return deviation == null ? null : new Interval(value.mean() - deviation, value.mean() + deviation);
    }
}
