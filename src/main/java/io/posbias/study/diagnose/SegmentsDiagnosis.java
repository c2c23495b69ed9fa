package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Configs;
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
import io.posbias.base.text.Plural;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.run.DiagnosisRunner;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Study;
import io.posbias.study.probe.PairTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code diagnose segments}: cosines of whole texts and their segments, with four decimals as in the SQuAD-PosQ paper. */
public record SegmentsDiagnosis(
        SegmentChoice choice,
        List<DrawnSegments> drawn,
        BiFunction<Recipe, Engine, VectorSource> encoders,
        boolean published)
        implements Diagnosis<List<SegmentSimilarity>, List<SegmentsDiagnosis.SegmentResult>> {
    private static final List<String> SEGMENTS = SegmentSimilarity.SEGMENTS;

    /** Smallest range of a heat map's colours. */
    private static final double LEAST_SPAN = 0.05;

    private static final String PUBLISHED = "data/published/posq-table4-segment-cosine.csv";
    private static final String SOURCE = "Table 4 of arXiv:2505.13950";
    /** Lengths in words by appendix A.4 of the paper. */
    private static final Map<String, String> WORDS = Map.of("SQuAD v2", "100-512", "FineWeb-Edu", "200-500");

    private static final int DRAWN = 10_000;

    /**
     * Selection of passages.
     *
     * @param lengths describes the bands
     */
    public record SegmentChoice(@JsonUnwrapped SegmentSample.SegmentLimits limits, String lengths, double confidence) {}

    /** The passages drawn from a benchmark. */
    public record DrawnSegments(
            String dataset, Map<String, String> sha256, SegmentSample sample, SegmentSample.SegmentBands bands) {}

    @Override
    public String work() {
        return "";
    }

    @Override
    public List<SegmentSimilarity> score(Recipe recipe, Engine engine) {
        List<SegmentSimilarity> scores = new ArrayList<>();
        try (VectorSource encoder = encoders.apply(recipe, engine)) {
            for (DrawnSegments one : drawn) {
                scores.add(DiagnosisRunner.timed(
                        recipe,
                        engine,
                        own -> one.dataset() + ": " + Plural.of(own.texts().size(), "passage"),
                        () -> SegmentSimilarity.of(one.sample(), encoder, recipe, "encode " + one.dataset())));
            }
            engine.say(recipe.name() + ": "
                    + encoder.usage().entrySet().stream()
                            .map(figure -> figure.getKey() + " " + figure.getValue())
                            .collect(Collectors.joining(", ")));
        }
        return scores;
    }

    /**
     * Result of a model on a benchmark.
     *
     * @param fit distinct texts within the limits
     * @param bands all lengths first
     */
    public record SegmentResult(
            String dataset,
            Map<String, String> datasetSha256,
            int passages,
            int fit,
            int drawn,
            SegmentSimilarity.SegmentTruncation cut,
            List<SegmentSimilarity.SegmentBand> bands) {}

    @Override
    public List<SegmentResult> find(List<SegmentSimilarity> scores, Map<String, List<SegmentResult>> earlier) {
        List<SegmentResult> found = new ArrayList<>();
        for (DrawnSegments one : drawn) {
            SegmentSimilarity own = scores.get(found.size());
            found.add(new SegmentResult(
                    one.dataset(),
                    one.sha256(),
                    one.sample().passages(),
                    one.sample().fit(),
                    own.texts().size(),
                    own.cut(),
                    own.bands(one.bands(), choice.confidence())));
        }
        return found;
    }

    /** Describes what is written. */
    public static Study study() {
        return new Study(
                "segments-1",
                SegmentsFile.class,
                new Study.Csv("A line for each model, benchmark and band of lengths.", LINES),
                new Study.Csv("A line for each text.", SCORES));
    }

    /** JSON document. */
    public record SegmentsFile(
            String schema,
            String model,
            String recipeSha256,
            @JsonUnwrapped SegmentChoice choice,
            List<SegmentResult> datasets) {}

    @Override
    public SegmentsFile document(EvaluatedModel model, List<SegmentResult> found) {
        return new SegmentsFile("posbias/segments/1", model.name(), model.sha256(), choice, found);
    }

    @Override
    public Table scores(List<SegmentSimilarity> scores) {
        List<SegmentScoreRow> rows = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            String dataset = drawn.get(i).dataset();
            scores.get(i).texts().forEach(text -> rows.add(new SegmentScoreRow(dataset, text)));
        }
        return SCORES.table(rows);
    }

    private record SegmentScoreRow(
            String dataset, @JsonUnwrapped SegmentSimilarity.SegmentScores text) {}

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
            @JsonUnwrapped SegmentSimilarity.SegmentMeans means,

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

    private static List<SegmentRow> measured(Map<String, List<SegmentResult>> found) {
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

    /** The published rows, without intervals. */
    private static List<SegmentRow> printed(String mark) {
        return CsvRows.read(Path.of(PUBLISHED), Configs.read(PUBLISHED)).stream()
                .map(row -> {
                    String dataset = row.text("dataset");
                    String words = Objects.requireNonNull(WORDS.get(dataset), "appendix A.4 names two");
                    Mean beginning = new Mean(row.parsedNumber("full_begin"), null);
                    Mean middle = new Mean(row.parsedNumber("full_middle"), null);
                    Mean end = new Mean(row.parsedNumber("full_end"), null);
                    return new SegmentRow(
                            row.text("model"),
                            dataset + mark,
                            new SegmentSimilarity.SegmentMeans(words, DRAWN, beginning, middle, end),
                            null,
                            null,
                            null);
                })
                .toList();
    }

    private List<SegmentRow> all(Map<String, List<SegmentResult>> found) {
        List<SegmentRow> rows = measured(found);
        if (published) {
            rows.addAll(printed(" (published)"));
        }
        return rows;
    }

    @Override
    public List<Table> tables(Map<String, List<SegmentResult>> found) {
        String interval = "interval: " + NumberFormat.percent(choice.confidence()) + ", t";
        List<String> notes = new ArrayList<>(List.of(
                "segments: thirds by characters; words: " + choice.limits().words()
                        + choice.limits().tokens() + ", " + choice.lengths(),
                "cut: whole texts that were truncated; " + interval));
        if (published) {
            notes.add("published: " + SOURCE + " and its appendix A.4, without intervals");
        }
        notes.addAll(cuts(found));
        return List.of(
                MEANS.table("Segment similarity: cosine of the whole text and its segments", all(found), notes),
                DIFFERENCES.table(
                        "Segment similarity: beginning minus middle and minus end",
                        measured(found),
                        List.of(interval + ", paired by text; p not corrected for the number of rows")));
    }

    /** Truncation notes. */
    private static List<String> cuts(Map<String, List<SegmentResult>> found) {
        List<String> notes = new ArrayList<>();
        found.forEach((model, datasets) -> datasets.forEach(on -> {
            SegmentSimilarity.SegmentTruncation cut = on.cut();
            if (!cut.known()) {
                notes.add(model + " on " + on.dataset() + ": the provider may truncate texts silently"
                        + (cut.maxTokens() > 0 ? " past " + cut.maxTokens() + " tokens" : ""));
            } else if (cut.wholeTexts() + cut.segments() > 0) {
                notes.add(model + " on " + on.dataset() + ": " + cut.wholeTexts() + " of " + on.drawn()
                        + " whole texts and " + cut.segments() + " segments were truncated at " + cut.maxTokens()
                        + " tokens; the vector of the whole text does not cover the rest");
            }
        }));
        return notes;
    }

    @Override
    public Table raw(Map<String, List<SegmentResult>> found) {
        return LINES.table(all(found));
    }

    /** One heat map per benchmark and band; published rows in their own figure. */
    @Override
    public List<Figure> figures(Map<String, List<SegmentResult>> found) {
        String note = cuts(found).stream().map(cut -> " " + cut + ".").collect(Collectors.joining());
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
