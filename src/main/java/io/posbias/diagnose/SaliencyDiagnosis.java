package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Plural;
import io.posbias.PosbiasException;
import io.posbias.Session;
import io.posbias.dataset.DatasetPool;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Diagnosis;
import io.posbias.evaluate.Origin;
import io.posbias.plot.CurveChart;
import io.posbias.plot.Curves;
import io.posbias.plot.Figure;
import io.posbias.result.EvaluatedModel;
import io.posbias.retrieve.Recipe;
import io.posbias.stats.Clusters;
import io.posbias.stats.Interval;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code diagnose saliency}: what each part of a document matters to its score, and where in documents that is. */
public final class SaliencyDiagnosis implements Diagnosis<List<SaliencyMap>, SaliencyDiagnosis.Found> {
    private static final int SCALE = 1000;

    private final Documents documents;
    private final Settings settings;
    private final double confidence;
    private final List<SaliencySource.Fit> fits;
    private final SaliencySource source;

    /**
     * How saliency is found.
     *
     * @param method its name
     * @param unit what documents are cut into, for example "word"
     * @param window words left out at a time; null where none are
     * @param stride words from one window to the next; null likewise
     * @param minWords the fewest words of a document
     * @param minTokens the fewest tokens of a document, as the benchmark counts them; null where tokens do not matter
     * @param scale what each document is divided by in points, bins and curves
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Settings(
            String method,
            String unit,
            @Nullable Integer window,
            @Nullable Integer stride,
            int minWords,
            @Nullable Integer minTokens,
            SaliencyScale scale) {
        /** Whether values have no unit. */
        boolean isScaled() {
            return scale != SaliencyScale.NONE;
        }

        /** In words, for titles. */
        public String describe() {
            if (window == null || stride == null) {
                return method;
            }
            return method + ", windows of " + Plural.of(window, "word")
                    + (stride < window ? ", one every " + stride : "");
        }
    }

    /**
     * @param between where the middle of the evidence must be, as shares of the text; null for anywhere, known or not
     * @param confidence of all intervals, between 0 and 1
     * @param session is told how many documents fit
     * @throws PosbiasException if none does
     */
    public SaliencyDiagnosis(
            Documents documents, Settings settings, @Nullable Interval between, double confidence, Session session) {
        this.documents = documents;
        this.settings = settings;
        this.confidence = confidence;
        this.fits = fits(documents, settings, between, session);
        this.source = settings.window() == null || settings.stride() == null
                ? new SaliencySource.ByContribution(fits)
                : new SaliencySource.ByOcclusion(documents.dataset(), fits, settings.window(), settings.stride());
    }

    private static List<SaliencySource.Fit> fits(
            Documents documents, Settings settings, @Nullable Interval between, Session session) {
        List<Query> queries = queries(documents, settings.minTokens(), between);
        Map<String, List<Span>> words = new HashMap<>();
        return documents.fitting(
                documents.read(queries),
                document -> Optional.of(new SaliencySource.Fit(
                                document,
                                words.computeIfAbsent(
                                        document.sentences().text(), text -> Words.cut(text, documents.language()))))
                        .filter(fit -> fit.words().size() >= settings.minWords()),
                "pairs of query and document",
                "fewer than " + settings.minWords() + " words",
                "--min-words sets how many they need",
                "",
                session);
    }

    /** Those whose evidence is in its place and whose document has enough tokens. */
    private static List<Query> queries(Documents documents, @Nullable Integer minTokens, @Nullable Interval between) {
        List<Query> queries = between == null
                ? documents.answered()
                : documents.evident().stream()
                        .filter(query -> isBetween(query, between))
                        .toList();
        if (queries.isEmpty()) {
            throw nothing(
                    documents,
                    between == null
                            ? "no query with a relevant passage"
                            : "no query whose evidence has its middle in that part of its one relevant passage");
        }
        if (minTokens == null) {
            return queries;
        }
        IntPredicate longEnough = TokenLengths.atLeast(minTokens, documents.dataset());
        List<Query> longer = queries.stream()
                .filter(query -> longEnough.test(documents.passage(query)))
                .toList();
        if (longer.isEmpty()) {
            throw nothing(documents, "no such query on a document of at least " + minTokens + " tokens");
        }
        return longer;
    }

    private static PosbiasException nothing(Documents documents, String what) {
        return new PosbiasException(documents.dataset().name() + " has " + what + "; there is nothing to look at");
    }

    private static boolean isBetween(Query query, Interval between) {
        Evidence evidence = query.evidence();
        return evidence != null && evidence.isPlaced() && between.holds(evidence.relativePosition());
    }

    @Override
    public String work() {
        return documents.dataset().name() + ": " + source.work();
    }

    /** The benchmark's name. */
    public String dataset() {
        return documents.dataset().name();
    }

    /** How many pairs of query and document there are. */
    public int pairs() {
        return fits.size();
    }

    @Override
    public List<SaliencyMap> score(Recipe recipe, Engine engine) {
        return source.maps(recipe, engine);
    }

    /**
     * What was found of a model.
     *
     * @param maps of each pair of query and document
     */
    public record Found(List<SaliencyMap> maps, SaliencyProfile profile) {}

    /** All models but the first are contrasted with it. */
    @Override
    public Found find(List<SaliencyMap> scores, Map<String, Found> earlier) {
        SaliencyProfile profile = SaliencyProfile.of(scores, clusters(), settings.scale(), confidence);
        if (earlier.isEmpty()) {
            return new Found(scores, profile);
        }
        Map.Entry<String, Found> base = earlier.entrySet().iterator().next();
        return new Found(
                scores,
                profile.against(SaliencyProfile.contrast(
                        scores, base.getKey(), base.getValue().maps(), clusters(), confidence)));
    }

    private Clusters clusters() {
        return Clusters.named(
                fits.stream().map(fit -> documents.unit(fit.document())).toList());
    }

    private Map<String, Integer> pooled() {
        return DatasetPool.counts(
                documents.dataset().parts(),
                fits.stream().map(fit -> fit.document().query().id()).toList());
    }

    /** What result.json holds. */
    public record Document(@JsonUnwrapped Origin origin, Saliency saliency) {}

    /** The part of result.json that is about saliency. */
    public record Saliency(
            @JsonUnwrapped Settings settings, @JsonUnwrapped SaliencyProfile profile) {}

    @Override
    public Document document(EvaluatedModel model, Found found) {
        return new Document(
                Origin.of(model, null, documents.dataset(), pooled(), confidence),
                new Saliency(settings, found.profile()));
    }

    /**
     * A window or token.
     *
     * @param part its number from 1; "rest" for what belongs to no part of the text
     * @param start in code points; null likewise
     */
    private record Part(
            String query,
            double score,
            String part,
            @Nullable Integer start,
            @Nullable Integer end,
            double saliency) {}

    @Override
    public Table scores(List<SaliencyMap> scores) {
        List<Part> parts = new ArrayList<>();
        for (SaliencyMap map : scores) {
            Offsets offsets = new Offsets(map.text());
            for (int i = 0; i < map.parts().size(); i++) {
                Span span = map.span(map.parts().get(i));
                parts.add(new Part(
                        map.id(),
                        map.score(),
                        String.valueOf(i + 1),
                        offsets.of(span.start()),
                        offsets.of(span.end()),
                        map.parts().get(i).saliency()));
            }
            if (map.rest() != null) {
                parts.add(new Part(map.id(), map.score(), "rest", null, null, map.rest()));
            }
        }
        return new Sheet<Part>()
                .plain("query", Part::query)
                .number("score", Unit.ANY_SCORE, Part::score)
                .plain("part", Part::part)
                .plain("start", Part::start)
                .plain("end", Part::end)
                .number("saliency", Unit.ANY_SCORE, Part::saliency)
                .raw(parts);
    }

    /** From UTF-16 units to code points; asked for ascending places it walks once. */
    private static final class Offsets {
        private final String text;
        private int unit;
        private int point;

        Offsets(String text) {
            this.text = text;
        }

        int of(int place) {
            if (place < unit) {
                unit = 0;
                point = 0;
            }
            point += text.codePointCount(unit, place);
            unit = place;
            return point;
        }
    }

    private record Row(String model, SaliencyProfile profile) {
        @Nullable
        Double third(int number) {
            return profile.thirds().isEmpty()
                    ? null
                    : (Double) profile.thirds().get(number).mean();
        }

        SaliencyProfile.Contrast against() {
            return Objects.requireNonNull(profile.against());
        }

        SaliencyProfile.EvidenceShare evidence() {
            return Objects.requireNonNull(profile.evidence());
        }
    }

    private static final Sheet<Row> THIRDS = new Sheet<Row>()
            .plain("model", Row::model)
            .plain("n", row -> row.profile().salient())
            .number("first", Unit.POINTS, row -> row.third(0))
            .number("middle", Unit.POINTS, row -> row.third(1))
            .number("last", Unit.POINTS, row -> row.third(2))
            .estimate(
                    "first - last",
                    "",
                    "",
                    Unit.SIGNED_POINTS,
                    row -> row.profile().firstMinusLast());

    private static final Sheet<Row> CONTRASTS = new Sheet<Row>()
            .plain("model", Row::model)
            .plain("n", row -> row.against().pairs())
            .estimate(
                    "difference",
                    "",
                    "",
                    Unit.SIGNED_POINTS,
                    row -> row.against().difference());

    private static final Sheet<Row> EVIDENCE = new Sheet<Row>()
            .plain("model", Row::model)
            .plain("n", row -> row.evidence().pairs())
            .number("saliency", Unit.POINTS, row -> row.evidence().saliency().mean())
            .number("length", Unit.POINTS, row -> row.evidence().length().mean())
            .estimate(
                    "difference",
                    "",
                    "",
                    Unit.SIGNED_POINTS,
                    row -> row.evidence().difference());

    @Override
    public List<Table> tables(Map<String, Found> found) {
        List<Row> rows = found.entrySet().stream()
                .map(model -> new Row(model.getKey(), model.getValue().profile()))
                .toList();
        String interval =
                "interval: " + Unit.percent(confidence) + ", paired t; p not corrected for the number of models";
        List<Table> tables = new ArrayList<>(List.of(THIRDS.table(
                "Saliency by third of the document, % of positive saliency (" + settings.describe() + ")",
                rows,
                Stream.concat(Stream.of("means over pairs; " + interval), DatasetPool.note(pooled()).stream())
                        .toList())));
        if (rows.size() > 1) {
            String base = rows.getFirst().model();
            tables.add(CONTRASTS.table(
                    "First - last third, minus that of " + base + " on the same pairs",
                    rows.subList(1, rows.size()),
                    List.of("above 0: more saliency at the front than " + base + "; " + interval)));
        }
        List<Row> evident =
                rows.stream().filter(row -> row.profile().evidence() != null).toList();
        if (!evident.isEmpty()) {
            tables.add(EVIDENCE.table(
                    "Saliency of the evidence: its share of positive saliency and of the length, in %",
                    evident, List.of(interval)));
        }
        tables.add(curves(rows));
        return tables;
    }

    private Table curves(List<Row> rows) {
        Sheet<Row> sheet = new Sheet<Row>()
                .plain("model", Row::model)
                .plain("n", row -> row.profile().pairs());
        double unit = settings.isScaled() ? 1 : SCALE;
        for (int i = 0; i < SaliencyProfile.BINS; i++) {
            int bin = i;
            sheet.number(
                    10 * bin + "-" + 10 * (bin + 1) + "%",
                    Unit.SIGNED_FRACTION,
                    row -> unit * row.profile().bins().get(bin).mean());
        }
        return sheet.table(
                "Mean saliency by position in the document"
                        + (settings.isScaled() ? "" : ", in the score's unit times " + SCALE),
                rows,
                List.of("scale " + settings.scale() + ", " + settings.scale().meaning()
                        + "; below 0: the score is higher without; intervals: --output, --plots"));
    }

    private record Point(String model, SaliencyScale scale, int point, int pairs, SaliencyProfile.Value value) {}

    private static final Sheet<Point> POINTS = new Sheet<Point>()
            .plain("model", Point::model)
            .plain("scale", Point::scale)
            .plain("point", Point::point)
            .plain("n", Point::pairs)
            .number("mean", Unit.ANY_SCORE, row -> row.value().mean())
            .number("deviation", Unit.ANY_SCORE, row -> row.value().deviation())
            .interval("interval", Unit.ANY_SCORE, row -> row.value().interval());

    @Override
    public Table raw(Map<String, Found> found) {
        List<Point> points = new ArrayList<>();
        found.forEach((model, one) -> {
            List<SaliencyProfile.Value> own = one.profile().points();
            for (int i = 0; i < own.size(); i++) {
                points.add(
                        new Point(model, settings.scale(), i + 1, one.profile().pairs(), own.get(i)));
            }
        });
        return POINTS.raw(points);
    }

    /**
     * Mean saliency by position in the document, one panel a model: in bands of the t interval of the mean and of a standard
     * deviation over pairs to both sides, as in PosIR's Figure 5.
     */
    @Override
    public List<Figure> figures(Map<String, Found> found) {
        List<CurveChart.Banded> lines = new ArrayList<>();
        found.forEach((model, one) -> lines.add(line(model, one.profile())));
        return List.of(CurveChart.panels(
                "saliency",
                "saliency by position in the document: " + documents.dataset().name() + ", " + settings.describe(),
                lines,
                new Interval(0, 100),
                settings.isScaled(),
                "position in the document, % of its length",
                settings.isScaled() ? "mean saliency" : "mean saliency, x " + SCALE,
                "Inner band: t interval of the mean; outer band: one standard deviation over pairs."
                        + (settings.isScaled()
                                ? " Scale " + settings.scale() + ", "
                                        + settings.scale().meaning() + "."
                                : " Each model has its own axis: scores have different units.")));
    }

    private CurveChart.Banded line(String model, SaliencyProfile profile) {
        double unit = settings.isScaled() ? 1 : SCALE;
        List<Curves.Point> outer = new ArrayList<>();
        List<Curves.Point> inner = new ArrayList<>();
        for (SaliencyProfile.Value value : profile.points()) {
            double x = 100.0 * inner.size() / (profile.points().size() - 1);
            double y = unit * value.mean();
            Double sd = value.deviation();
            Interval mean = value.interval();
            Interval spread = sd == null ? null : new Interval(value.mean() - sd, value.mean() + sd);
            outer.add(new Curves.Point(x, y, spread == null ? null : spread.times(unit), false));
            inner.add(new Curves.Point(x, y, mean == null ? null : mean.times(unit), false));
        }
        return new CurveChart.Banded(model, "n = " + profile.pairs(), outer, inner);
    }
}
