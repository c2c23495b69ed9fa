package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Configs;
import io.posbias.base.plot.Figure;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Moments;
import io.posbias.base.stats.Tested;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Query;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.EvidenceMover;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Origin;
import io.posbias.score.result.Study;
import io.posbias.study.probe.ItemDiagnosis;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeItem;
import io.posbias.study.probe.ProbeResult;
import io.posbias.study.probe.ProbeRun;
import io.posbias.study.probe.ProbeType;
import io.posbias.study.probe.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code diagnose moving}: scores with the evidence at several places of its document. Differences print times 1000, as in
 * Table 4 of arXiv:2605.26578.
 */
public final class MovingDiagnosis extends ItemDiagnosis<MovingDiagnosis.MovingCurve> {
    private static final String PUBLISHED = "data/published/training-moving.csv";

    private record Peak(String model, @Nullable Integer queries, int places, int peak, int lowest, Tested difference) {
        static Peak of(String model, MovingCurve curve) {
            Tested difference = new Tested(curve.peakMinusLowest(), curve.interval(), null);
            return new Peak(model, curve.queries(), curve.places().size(), curve.peak(), curve.lowest(), difference);
        }

        static Peak of(PublishedCurve curve) {
            double most = Collections.max(curve.means);
            double least = Collections.min(curve.means);
            return new Peak(
                    curve.model,
                    null,
                    curve.means.size(),
                    curve.means.indexOf(most) + 1,
                    curve.means.indexOf(least) + 1,
                    new Tested(most - least, null, null));
        }
    }

    /**
     * A row of Table 13 of arXiv:2605.26578.
     *
     * @param means cosines by place
     */
    private record PublishedCurve(String model, List<Double> means) {
        static List<PublishedCurve> all() {
            Map<String, List<Double>> curves = new LinkedHashMap<>();
            CsvRows.read(Path.of(PUBLISHED), Configs.read(PUBLISHED))
                    .forEach(row -> curves.computeIfAbsent(
                                    row.text("model") + " " + row.text("configuration") + " (published)",
                                    model -> new ArrayList<>())
                            .add(row.parsedNumber("cosine")));
            return curves.entrySet().stream()
                    .map(curve -> new PublishedCurve(curve.getKey(), curve.getValue()))
                    .toList();
        }
    }

    private static Table table(List<PublishedCurve> curves) {
        Columns<PublishedCurve> columns = new Columns<PublishedCurve>().label("model", PublishedCurve::model);
        for (int i = 0; i < curves.getFirst().means.size(); i++) {
            int place = i;
            columns.number(String.valueOf(place + 1), NumberFormat.SCORE, curve -> curve.means.get(place));
        }
        return columns.table(
                "Mean cosine by the place of the evidence, Table 13 of arXiv:2605.26578",
                curves,
                List.of("MB, MM, ME, MU: trained on evidence at the beginning, in the middle, at the end, everywhere;"
                        + " pairs of MS MARCO; how many is not printed"));
    }

    private static final Columns<Peak> PEAKS = new Columns<Peak>()
            .text("model", Peak::model)
            .text("n", Peak::queries)
            .text("places", Peak::places)
            .text("peak", Peak::peak)
            .text("lowest", Peak::lowest)
            .number(
                    "difference x 1000",
                    NumberFormat.THOUSANDTHS,
                    row -> row.difference().value())
            .interval(NumberFormat.THOUSANDTHS, row -> row.difference().interval());

    private record PlaceRow(
            String model,
            @Meaning("queries whose evidence was moved") int queries,
            @JsonUnwrapped MovingCurve.Place place,

            @Meaning(
                    value =
                            "mean score minus that of place 1, over the same queries, with interval and p-value of the paired t test",
                    unit = "score")
            @JsonProperty("less_place_1")
            @Nullable
            Tested lessFirst) {}

    private static final RecordCsv<PlaceRow> LINES = new RecordCsv<>(PlaceRow.class);

    private static final Columns<PlaceRow> PLACES = new Columns<PlaceRow>()
            .text("place", row -> row.place().place())
            .number("mean", NumberFormat.SCORE, row -> row.place().mean())
            .interval(NumberFormat.SCORE, row -> row.place().interval())
            .part(
                    PlaceRow::lessFirst,
                    new Columns<Tested>()
                            .number("minus place 1, x 1000", NumberFormat.THOUSANDTHS, Tested::value)
                            .joined("its interval", less -> NumberFormat.THOUSANDTHS.print(less.interval()))
                            .number("p", NumberFormat.P, Tested::pValue));

    /** Tag with the place, from 1. */
    private static final String POSITION = "position";

    static final ProbeType PROBE = new ProbeType("moving", Shape.PLACES, "", null, false);

    private final boolean published;

    /**
     * Relocates the evidence.
     *
     * @throws UsageException if no query has an evidence span in its one relevant passage
     */
    public MovingDiagnosis(Documents documents, int places, double confidence, boolean published, Session session) {
        super(documents.dataset(), items(documents, places, session), confidence);
        this.published = published;
    }

    /** The texts of a document, tagged with their place from 1. */
    static List<ProbeItem> items(EvidenceMover mover, Query query, String cluster, int places) {
        List<ProbeItem> items = new ArrayList<>();
        for (String text : mover.texts(places)) {
            Map<String, String> tags = Map.of(POSITION, String.valueOf(items.size() + 1));
            items.add(new ProbeItem(PROBE, query.id(), query.text(), text, null, tags, cluster));
        }
        return items;
    }

    private static List<ProbeItem> items(Documents documents, int places, Session session) {
        String name = documents.dataset().name();
        List<Query> evident = documents.evident();
        if (evident.isEmpty()) {
            throw new UsageException("dataset " + name
                    + " has no query with an evidence span in its one relevant passage; there is nothing to move");
        }
        return documents
                .fitting(
                        documents.read(evident),
                        document -> EvidenceMover.of(document.sentences(), Objects.requireNonNull(document.evidence()))
                                .map(mover -> items(mover, document.query(), documents.clusterOf(document), places)),
                        "documents",
                        "fewer than " + EvidenceMover.LEAST_SENTENCES + " sentences or nothing but evidence",
                        "there is nothing to move",
                        "; "
                                + Plural.of(documents.dataset().judgedQueries().size() - evident.size(), "query")
                                + " without a span in one relevant passage",
                        session)
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public MovingCurve find(List<ScoredItem> scores, Map<String, MovingCurve> earlier) {
        return MovingCurve.of(scores, confidence);
    }

    /** Describes what is written. */
    public static Study study() {
        return new Study(
                "diagnose-result-2",
                MovingFile.class,
                new Study.Csv("A line for each model and place.", LINES),
                new Study.Csv("A line for each item.", SCORES));
    }

    /** JSON document; numbers are not multiplied by 1000. */
    public record MovingFile(@JsonUnwrapped Origin origin, MovingCurve moving) {}

    @Override
    public MovingFile document(EvaluatedModel model, MovingCurve found) {
        return new MovingFile(origin(model), found);
    }

    @Override
    public List<Table> tables(Map<String, MovingCurve> found) {
        List<Table> tables = new ArrayList<>();
        List<String> notes = notes(
                "interval: %s, paired t, of these two places; they are chosen by their means, so the difference is never"
                        + " below 0 and is not tested",
                "place 1: evidence first; last place: evidence last");
        List<Peak> peaks = new ArrayList<>();
        found.forEach((model, curve) -> peaks.add(Peak.of(model, curve)));
        List<PublishedCurve> curves = published ? PublishedCurve.all() : List.of();
        curves.forEach(curve -> peaks.add(Peak.of(curve)));
        if (published) {
            notes.add("published: of Table 13 of arXiv:2605.26578");
        }
        tables.add(PEAKS.table("Moving evidence: peak and lowest place", peaks, notes));
        found.forEach((model, curve) -> tables.add(PLACES.table(
                model + ": mean score by the place of the evidence",
                rows(model, curve),
                List.of("intervals: " + NumberFormat.percent(confidence)
                        + ", t; minus place 1: paired by query, p not corrected for the number of places"))));
        if (published) {
            tables.add(table(curves));
        }
        return tables;
    }

    private static List<PlaceRow> rows(String model, MovingCurve curve) {
        return curve.places().stream()
                .map(place -> new PlaceRow(
                        model,
                        curve.queries(),
                        place,
                        place.place() == 1
                                ? null
                                : curve.tests().get(place.place() - 2).tested()))
                .toList();
    }

    @Override
    public Table raw(Map<String, MovingCurve> found) {
        return LINES.table(found.entrySet().stream()
                .flatMap(model -> rows(model.getKey(), model.getValue()).stream())
                .toList());
    }

    @Override
    public List<Figure> figures(Map<String, MovingCurve> found) {
        Map<String, List<PairTest>> againstFirst = new LinkedHashMap<>();
        found.forEach((model, curve) -> againstFirst.put(model, curve.tests()));
        return List.of(ProbeRun.places(dataset().name(), againstFirst));
    }

    /**
     * Mean score by place of the evidence: a row of Table 4 of arXiv:2605.26578 with its uncertainty.
     *
     * @param peak place with the highest mean, the first of equals
     * @param lowest place with the lowest mean, the first of equals
     * @param interval of {@code peakMinusLowest}, paired by query; null for fewer than two queries. It has no p-value, because both
     *     places were selected by these scores
     * @param tests each later place against place 1
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MovingCurve(
            int queries,
            @JsonProperty("units") int clusters,
            int peak,
            int lowest,
            double peakMinusLowest,
            @Nullable Interval interval,
            List<Place> places,
            List<PairTest> tests) {
        /**
         * Mean at one place.
         *
         * @param place from 1
         * @param interval null for fewer than two queries
         */
        @JsonInclude(JsonInclude.Include.NON_NULL)
        public record Place(
                @Meaning(value = "place of the evidence, from 1, the first", unit = "number")
                int place,

                @Meaning(value = "mean score with the evidence there", unit = "score")
                double mean,

                @Meaning(value = "both ends of the interval of `mean`", unit = "score") @Nullable
                Interval interval) {}

        /** The curve of the items of the probe "moving". */
        public static MovingCurve of(List<ScoredItem> items, double confidence) {
            Map<Integer, Map<String, Double>> scores = new TreeMap<>();
            items.forEach(scored -> scores.computeIfAbsent(
                            Integer.valueOf(scored.item().tag(POSITION)), place -> new LinkedHashMap<>())
                    .put(scored.item().id(), scored.score1()));
            List<double[]> columns = scores.values().stream()
                    .map(byQuery -> byQuery.values().stream()
                            .mapToDouble(score -> score)
                            .toArray())
                    .toList();
            Clusters clusters = ScoredItem.clusters(items.stream()
                    .filter(scored -> scored.item().tag(POSITION).equals("1"))
                    .toList());
            List<Place> places = scores.keySet().stream()
                    .map(number -> place(number, columns.get(number - 1), clusters, confidence))
                    .toList();
            double rounding = PairTest.ROUNDING
                    * columns.stream().mapToDouble(PairTest::largest).max().orElse(0);
            int peak = first(places, place -> -place.mean(), rounding);
            int lowest = first(places, Place::mean, rounding);
            return new MovingCurve(
                    columns.getFirst().length,
                    clusters.count(),
                    peak,
                    lowest,
                    places.get(peak - 1).mean() - places.get(lowest - 1).mean(),
                    PairTest.of(PROBE, "", columns.get(peak - 1), columns.get(lowest - 1), clusters, confidence)
                            .interval(),
                    places,
                    ProbeResult.of(items, confidence).tests());
        }

        private static Place place(int number, double[] scores, Clusters clusters, double confidence) {
            Moments moments = Moments.of(scores, clusters);
            return new Place(
                    number,
                    moments.mean(),
                    moments.isEstimable() ? moments.estimate(confidence).interval() : null);
        }

        /** The first place with the lowest value, up to rounding. */
        private static int first(List<Place> places, ToDoubleFunction<Place> value, double rounding) {
            double least = places.stream().mapToDouble(value).min().orElseThrow();
            return places.stream()
                    .filter(place -> value.applyAsDouble(place) <= least + rounding)
                    .findFirst()
                    .map(Place::place)
                    .orElseThrow();
        }
    }
}
