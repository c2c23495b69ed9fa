package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.HeatMaps;
import io.posbias.base.stats.Moments.Mean;
import io.posbias.base.stats.Tested;
import io.posbias.base.table.Columns;
import io.posbias.base.table.CsvRows;
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
import io.posbias.study.probe.PairTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code diagnose segments}: cosines of whole texts and their segments, with four decimals as in the SQuAD-PosQ paper. */
public record SegmentsDiagnosis(SegmentTexts texts, boolean published)
        implements Diagnosis<List<SegmentSimilarity>, List<SegmentResult<SegmentsDiagnosis.SegmentBand>>> {
    private static final List<String> SEGMENTS = Segmentation.THIRDS.names();

    /** Smallest range of a heat map's colours. */
    private static final double LEAST_SPAN = 0.05;

    private static final String PUBLISHED = "data/published/posq-table4-segment-cosine.csv";
    private static final String SOURCE = "Table 4 of arXiv:2505.13950";
    /** Lengths in words by appendix A.4 of the paper. */
    private static final Map<String, String> WORDS = Map.of("SQuAD v2", "100-512", "FineWeb-Edu", "200-500");

    private static final int DRAWN = 10_000;

    @Override
    public List<SegmentSimilarity> score(Recipe recipe, Engine engine) {
        return texts.score(Segmentation.THIRDS, recipe, engine);
    }

    /** Mean cosines of texts in a band of lengths. */
    public record SegmentMeans(
            @Meaning("band of lengths in words") String words,
            @Meaning("texts") int n,

            @Meaning(value = "mean cosine of the whole texts and their beginning, with its interval", unit = "cosine")
            Mean beginning,

            @Meaning(value = "of the whole texts and their middle", unit = "cosine")
            Mean middle,

            @Meaning(value = "of the whole texts and their end", unit = "cosine")
            Mean end) {
        List<Mean> all() {
            return List.of(beginning, middle, end);
        }
    }

    /**
     * Texts in a band of lengths.
     *
     * @param tests beginning minus middle and beginning minus end, paired by text
     */
    public record SegmentBand(
            @JsonUnwrapped SegmentMeans means,
            @JsonProperty("whole_texts_cut") int cut,
            List<PairTest> tests) {

        static SegmentBand of(SegmentSimilarity.Band band, double confidence) {
            double[] beginning = band.cosines(0);
            double[] middle = band.cosines(1);
            double[] end = band.cosines(2);
            return new SegmentBand(
                    new SegmentMeans(
                            band.words(),
                            band.texts().size(),
                            Mean.of(beginning, confidence),
                            Mean.of(middle, confidence),
                            Mean.of(end, confidence)),
                    band.cut(),
                    List.of(
                            PairTest.of(SegmentSimilarity.PROBE, "beginning - middle", beginning, middle, confidence),
                            PairTest.of(SegmentSimilarity.PROBE, "beginning - end", beginning, end, confidence)));
        }
    }

    @Override
    public List<SegmentResult<SegmentBand>> find(
            List<SegmentSimilarity> scores, Map<String, List<SegmentResult<SegmentBand>>> earlier) {
        return texts.find(scores, band -> SegmentBand.of(band, texts.choice().confidence()));
    }

    public static Study study() {
        return new Study(
                "segments-1",
                SegmentsFile.class,
                new Study.Csv("A line for each model, benchmark and band of lengths.", LINES),
                new Study.Csv("A line for each text.", SCORES));
    }

    public record SegmentsFile(
            String schema,
            String model,
            String recipeSha256,
            @JsonUnwrapped SegmentTexts.SegmentChoice choice,
            List<SegmentResult<SegmentBand>> datasets) {}

    @Override
    public SegmentsFile document(EvaluatedModel model, List<SegmentResult<SegmentBand>> found) {
        return new SegmentsFile("posbias/segments/1", model.name(), model.sha256(), texts.choice(), found);
    }

    @Override
    public Table scores(List<SegmentSimilarity> scores) {
        List<SegmentScoreRow> rows = new ArrayList<>();
        texts.forEach(scores, (dataset, text) -> {
            List<Double> cosines = text.cosines();
            rows.add(new SegmentScoreRow(dataset, text, cosines.get(0), cosines.get(1), cosines.get(2)));
        });
        return SCORES.table(rows);
    }

    private record SegmentScoreRow(
            String dataset,
            @JsonUnwrapped SegmentSimilarity.TextCosines text,

            @Meaning(value = "cosine of the whole passage and its beginning", unit = "cosine")
            double beginning,

            @Meaning(value = "cosine of the whole passage and its middle", unit = "cosine")
            double middle,

            @Meaning(value = "cosine of the whole passage and its end", unit = "cosine")
            double end) {}

    private static final RecordCsv<SegmentScoreRow> SCORES = new RecordCsv<>(SegmentScoreRow.class);

    /**
     * A band.
     *
     * @param cut null if truncation is unknown
     * @param lessMiddle paired by text, as is lessEnd; null for published rows
     */
    private record SegmentRow(
            String model,
            String dataset,
            @JsonUnwrapped SegmentMeans means,

            @Meaning("texts that were truncated; empty if unknown") @Nullable
            Integer cut,

            @Meaning(
                    value =
                            "mean cosine of the beginning minus that of the middle, with interval and p-value of the paired t test",
                    unit = "cosine")
            @Nullable
            Tested lessMiddle,

            @Meaning(value = "of the beginning minus that of the end", unit = "cosine") @Nullable
            Tested lessEnd) {}

    private static final RecordCsv<SegmentRow> LINES = new RecordCsv<>(SegmentRow.class);

    private static Columns<SegmentRow> bands() {
        return new Columns<SegmentRow>()
                .label("model", SegmentRow::model)
                .label("dataset", SegmentRow::dataset)
                .label("words", row -> row.means().words())
                .text("n", row -> row.means().n());
    }

    private static final Columns<SegmentRow> MEANS = bands().text("cut", SegmentRow::cut)
            .under("beginning")
            .mean("mean", NumberFormat.SCORE, row -> row.means().beginning())
            .under("middle")
            .mean("mean", NumberFormat.SCORE, row -> row.means().middle())
            .under("end")
            .mean("mean", NumberFormat.SCORE, row -> row.means().end());

    private static final Columns<SegmentRow> DIFFERENCES = bands().under("beginning - middle")
            .tested("mean", NumberFormat.SIGNED_SCORE, SegmentRow::lessMiddle)
            .under("beginning - end")
            .tested("mean", NumberFormat.SIGNED_SCORE, SegmentRow::lessEnd);

    private static Tested less(PairTest test) {
        return new Tested(test.firstMean() - test.secondMean(), test.interval(), test.pValue());
    }

    private static List<SegmentRow> measured(Map<String, List<SegmentResult<SegmentBand>>> found) {
        List<SegmentRow> rows = new ArrayList<>();
        found.forEach((model, datasets) -> datasets.forEach(on -> on.bands()
                .forEach(band -> rows.add(new SegmentRow(
                        model,
                        on.dataset(),
                        band.means(),
                        on.cut().known() ? band.cut() : null,
                        less(band.tests().getFirst()),
                        less(band.tests().getLast()))))));
        return rows;
    }

    private static List<SegmentRow> printed(String mark) {
        return CsvRows.bundled(PUBLISHED).stream()
                .map(row -> {
                    String dataset = row.text("dataset");
                    String words = Objects.requireNonNull(WORDS.get(dataset), "appendix A.4 names two");
                    Mean beginning = new Mean(row.parsedNumber("full_begin"), null);
                    Mean middle = new Mean(row.parsedNumber("full_middle"), null);
                    Mean end = new Mean(row.parsedNumber("full_end"), null);
                    return new SegmentRow(
                            row.text("model"),
                            dataset + mark,
                            new SegmentMeans(words, DRAWN, beginning, middle, end),
                            null,
                            null,
                            null);
                })
                .toList();
    }

    private List<SegmentRow> all(Map<String, List<SegmentResult<SegmentBand>>> found) {
        List<SegmentRow> rows = measured(found);
        if (published) {
            rows.addAll(printed(" (published)"));
        }
        return rows;
    }

    @Override
    public List<Table> tables(Map<String, List<SegmentResult<SegmentBand>>> found) {
        String interval = "interval: " + NumberFormat.percent(texts.choice().confidence()) + ", t";
        List<String> notes = new ArrayList<>(List.of(
                "segments: thirds by characters; words: " + texts.choice().words(),
                "cut: whole texts that were truncated; " + interval));
        if (published) {
            notes.add("published: " + SOURCE + " and its appendix A.4, without intervals");
        }
        notes.addAll(SegmentTexts.cuts(found));
        return List.of(
                MEANS.table("Segment similarity: cosine of the whole text and its segments", all(found), notes),
                DIFFERENCES.table(
                        "Segment similarity: beginning minus middle and minus end",
                        measured(found),
                        List.of(interval + ", paired by text; p not corrected for the number of rows")));
    }

    @Override
    public Table raw(Map<String, List<SegmentResult<SegmentBand>>> found) {
        return LINES.table(all(found));
    }

    /** One heat map per benchmark and band; published rows in their own figure. */
    @Override
    public List<Figure> figures(Map<String, List<SegmentResult<SegmentBand>>> found) {
        String note =
                SegmentTexts.cuts(found).stream().map(cut -> " " + cut + ".").collect(Collectors.joining());
        List<Figure> figures = new ArrayList<>(List.of(figure(
                "segments",
                "cosine of the whole text and its segments",
                measured(found).stream()
                        .map(row -> line(
                                row,
                                row.dataset() + ", " + row.means().words(),
                                "n = " + row.means().n()))
                        .toList(),
                "Panels: benchmark and length in words. Colours and numbers: mean cosine." + note)));
        if (published) {
            figures.add(figure(
                    "segments-published",
                    "cosine of the whole text and its segments, as published *",
                    printed("").stream()
                            .map(row -> line(row, row.dataset(), ""))
                            .toList(),
                    "Colours and numbers: mean cosine. *: " + SOURCE + "."));
        }
        return figures;
    }

    private static HeatMaps.Line line(SegmentRow row, String title, String subtitle) {
        return HeatMaps.Line.of(
                title,
                subtitle,
                row.model(),
                row.means().all().stream().<@Nullable Double>map(Mean::mean).toList(),
                "%.2f");
    }

    private static Figure figure(String name, String title, List<HeatMaps.Line> lines, String note) {
        return HeatMaps.figure(name, title, lines, SEGMENTS, LEAST_SPAN, "segment of the text", "", note);
    }
}
