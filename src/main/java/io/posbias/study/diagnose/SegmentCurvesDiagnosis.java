package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.CurveChart;
import io.posbias.base.plot.Curves;
import io.posbias.base.plot.Figure;
import io.posbias.base.stats.Clusters;
import io.posbias.base.stats.Interval;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Study;
import io.posbias.study.diagnose.SegmentSample.Segmentation;
import io.posbias.study.diagnose.SegmentTexts.SegmentResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code diagnose segments --segments N}: cosines of whole texts and each of their N equal segments, as in Figures 3 and 7 of
 * arXiv:2605.26578.
 */
public record SegmentCurvesDiagnosis(SegmentTexts texts, int segments, boolean published)
        implements Diagnosis<List<SegmentSimilarity>, List<SegmentResult<SegmentCurvesDiagnosis.SegmentCurve>>> {
    /** Segments of the published curves. */
    public static final int PUBLISHED_SEGMENTS = 10;

    static final String PUBLISHED = "data/published/training-segments.csv";
    private static final String SOURCE = "Figure 7 of arXiv:2605.26578";
    private static final String NOUN = "segment";

    /** Mean cosine by segment, of texts in a band of lengths. */
    public record SegmentCurve(
            String words,
            int n,
            @JsonProperty("whole_texts_cut") int cut,
            @JsonUnwrapped PlaceCurve curve) {}

    @Override
    public List<SegmentSimilarity> score(Recipe recipe, Engine engine) {
        return texts.score(Segmentation.equal(segments), recipe, engine);
    }

    @Override
    public List<SegmentResult<SegmentCurve>> find(
            List<SegmentSimilarity> scores, Map<String, List<SegmentResult<SegmentCurve>>> earlier) {
        return texts.find(scores, this::curve);
    }

    SegmentCurve curve(SegmentSimilarity.Band band) {
        int n = band.texts().size();
        List<double[]> cosines =
                IntStream.range(0, segments).mapToObj(band::cosines).toList();
        return new SegmentCurve(
                band.words(),
                n,
                band.cut(),
                PlaceCurve.of(
                        SegmentSimilarity.PROBE,
                        cosines,
                        Clusters.single(n),
                        texts.choice().confidence()));
    }

    public static Study study() {
        return new Study(
                "segment-curves-1",
                SegmentCurvesFile.class,
                new Study.Csv("A line for each model, benchmark, band of lengths and segment.", LINES),
                new Study.Csv("A line for each text and segment.", SCORES));
    }

    public record SegmentCurvesFile(
            String schema,
            String model,
            String recipeSha256,
            int segments,
            @JsonUnwrapped SegmentTexts.SegmentChoice choice,
            List<SegmentResult<SegmentCurve>> datasets) {}

    @Override
    public SegmentCurvesFile document(EvaluatedModel model, List<SegmentResult<SegmentCurve>> found) {
        return new SegmentCurvesFile(
                "posbias/segment-curves/1", model.name(), model.sha256(), segments, texts.choice(), found);
    }

    private record ScoreRow(
            String dataset,
            @JsonUnwrapped SegmentSimilarity.TextCosines text,

            @Meaning(value = "number of the segment, from 1", unit = "number")
            int segment,

            @Meaning(value = "cosine of the whole passage and the segment", unit = "cosine")
            double cosine) {}

    private static final RecordCsv<ScoreRow> SCORES = new RecordCsv<>(ScoreRow.class);

    @Override
    public Table scores(List<SegmentSimilarity> scores) {
        List<ScoreRow> rows = new ArrayList<>();
        texts.forEach(scores, (dataset, text) -> {
            for (double cosine : text.cosines()) {
                rows.add(new ScoreRow(dataset, text, rows.size() % segments + 1, cosine));
            }
        });
        return SCORES.table(rows);
    }

    /**
     * A curve. Of the texts of published ones nothing is known.
     *
     * @param cut null if truncation is unknown, too
     */
    private record Row(
            String model,
            String dataset,
            @Meaning("band of lengths in words") @Nullable String words,
            @Meaning("texts") @Nullable Integer n,

            @Meaning("texts that were truncated; empty if unknown") @Nullable
            Integer cut,

            @JsonIgnore PlaceCurve curve) {}

    private record CurveLine(
            @JsonUnwrapped Row row,

            @Meaning(
                    value =
                            "number of the segment, from 1; mean cosine of the whole texts and the segment, with interval;"
                                    + " the same minus that of segment 1, with interval and p-value of the paired t test",
                    unit = "cosine")
            @JsonUnwrapped
            PlaceCurve.Line line) {}

    private static final RecordCsv<CurveLine> LINES = new RecordCsv<>(CurveLine.class);

    private List<Row> rows(Map<String, List<SegmentResult<SegmentCurve>>> found) {
        List<Row> rows = new ArrayList<>();
        found.forEach((model, datasets) -> datasets.forEach(on -> on.bands().forEach(band -> {
            Integer cut = on.cut().known() ? (Integer) band.cut() : null;
            rows.add(new Row(model, on.dataset(), band.words(), band.n(), cut, band.curve()));
        })));
        printed().forEach(one -> rows.add(new Row(one.name(), "(published)", null, null, null, one.curve())));
        return rows;
    }

    /** The published curves, if they are to be added. */
    private List<PlaceCurve.Published> printed() {
        return published ? PlaceCurve.Published.read(PUBLISHED) : List.of();
    }

    private static Columns<Row> bands() {
        return new Columns<Row>()
                .label("model", Row::model)
                .label("dataset", Row::dataset)
                .label("words", Row::words);
    }

    @Override
    public List<Table> tables(Map<String, List<SegmentResult<SegmentCurve>>> found) {
        double confidence = texts.choice().confidence();
        List<Row> rows = rows(found);
        List<String> notes = new ArrayList<>(List.of(
                "segments: " + segments + " of equal length by characters; words: "
                        + texts.choice().words(),
                "cut: whole texts that were truncated; "
                        + PlaceCurve.peaksNote(NOUN).formatted(NumberFormat.percent(confidence))));
        List<String> sets = new ArrayList<>();
        if (published) {
            notes.add("published: " + SOURCE + "; how many documents is not printed");
            sets.add("published: " + SOURCE + "; Base: before training; " + PlaceCurve.SETS);
        }
        notes.addAll(SegmentTexts.cuts(found));
        List<Table> tables = new ArrayList<>();
        tables.add(bands().text("n", Row::n)
                .text("cut", Row::cut)
                .part(Row::curve, PlaceCurve.peaks(NOUN))
                .table("Segment similarity: segments most and least like the whole text", rows, notes));
        tables.add(PlaceCurve.means(bands(), segments, Row::curve)
                .table("Segment similarity: mean cosine of the whole text and each segment", rows, sets));
        found.forEach((model, datasets) -> datasets.forEach(on -> tables.add(on.bands()
                .getFirst()
                .curve()
                .table(
                        model + " on " + on.dataset() + ": cosine of the whole text and each segment, all lengths",
                        NOUN,
                        "text",
                        confidence))));
        return tables;
    }

    @Override
    public Table raw(Map<String, List<SegmentResult<SegmentCurve>>> found) {
        return LINES.table(rows(found).stream()
                .flatMap(row -> row.curve().lines().stream().map(line -> new CurveLine(row, line)))
                .toList());
    }

    /** A panel per benchmark and band with a line per model; published curves in their own figure, a panel per model. */
    @Override
    public List<Figure> figures(Map<String, List<SegmentResult<SegmentCurve>>> found) {
        Map<String, List<CurveChart.Banded>> panels = new LinkedHashMap<>();
        found.forEach((model, datasets) -> datasets.forEach(on -> on.bands()
                .forEach(band -> panels.computeIfAbsent(on.dataset() + ", " + band.words(), key -> new ArrayList<>())
                        .add(line(model, (found.size() == 1 ? model + ", " : "") + "n = " + band.n(), band.curve())))));
        String cuts =
                SegmentTexts.cuts(found).stream().map(cut -> " " + cut + ".").collect(Collectors.joining());
        List<Figure> figures = new ArrayList<>(List.of(figure(
                "segments",
                "",
                panels,
                "Panels: benchmark and length in words. Bands: intervals of the difference, paired by text." + cuts)));
        if (published) {
            Map<String, List<CurveChart.Banded>> models = new LinkedHashMap<>();
            printed()
                    .forEach(one -> models.computeIfAbsent(one.model(), key -> new ArrayList<>())
                            .add(line(one.set(), "", one.curve())));
            figures.add(figure(
                    "segments-published",
                    ", as published *",
                    models,
                    "Base: before training; " + PlaceCurve.SETS + ". *: " + SOURCE + "."));
        }
        return figures;
    }

    private Figure figure(String name, String more, Map<String, List<CurveChart.Banded>> panels, String note) {
        return CurveChart.panels(
                name,
                "cosine of the whole text and each of " + segments + " segments, minus that of segment 1" + more,
                panels,
                new Interval(1, segments),
                true,
                NOUN,
                "cosine minus that of segment 1",
                note);
    }

    private static CurveChart.Banded line(String title, String subtitle, PlaceCurve curve) {
        List<Curves.Point> points = new ArrayList<>(List.of(new Curves.Point(1, 0.0, null, false)));
        curve.tests()
                .forEach(test ->
                        points.add(new Curves.Point(points.size() + 1, test.meanDifference(), test.interval(), false)));
        return new CurveChart.Banded(title, subtitle, List.of(), points);
    }
}
