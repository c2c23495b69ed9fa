package io.posbias.report.plot;

import io.posbias.PosbiasException;
import io.posbias.measure.Reversal;
import io.posbias.probe.MovingCurve;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.NumberAxis;
import org.jspecify.annotations.Nullable;

/** Draws what diagnoses found, as SVG and PNG; each method writes its pictures whole or not at all, and says which. */
public final class DiagnosePlots {
    private static final double SCALE = 1000;

    private DiagnosePlots() {}

    /**
     * The mean score by the place of the evidence, less that of place 1, a panel for each model.
     *
     * @param curves by model
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> moving(String dataset, Map<String, MovingCurve> curves, Path folder) {
        List<Panel> panels = new ArrayList<>();
        curves.forEach((model, curve) -> panels.add(movingPanel(model, curve.againstFirst())));
        Figure figure = moving(dataset, panels);
        return Plots.write(Map.of(figure.name(), figure), folder);
    }

    /** The figure of {@link #movingPanel panels}. */
    static Figure moving(String data, List<Panel> panels) {
        int columns = Figure.columnsFor(panels.size());
        return new Figure(
                "moving",
                "score by the place of the evidence: " + data,
                List.of(),
                panels,
                columns,
                Figure.heightFor(columns),
                "place of the evidence",
                "score less place 1, x 1000",
                null,
                "Bands: paired t intervals. One axis for all; what a score is differs between models.");
    }

    /** The panel of a model: each later place against the first. */
    static Panel movingPanel(String model, List<PairTest> againstFirst) {
        List<Curves.Point> points = new ArrayList<>(List.of(new Curves.Point(1, 0.0, null, false)));
        for (PairTest test : againstFirst) {
            double value = SCALE * (test.first() - test.second());
            points.add(new Curves.Point(points.size() + 1, value, scaled(test.difference()), false));
        }
        Curves curves = new Curves();
        curves.add(points, Style.line(0));
        int most = againstFirst.stream().mapToInt(PairTest::n).max().orElse(0);
        return new Panel(
                model, "n = " + most, List.of(), curves.plot(Axes.numbers(0.5, points.size() + 0.5), axis(points)));
    }

    /** Holds 0 and all intervals. */
    private static NumberAxis axis(List<Curves.Point> points) {
        double low = 0;
        double high = 0;
        for (Curves.Point point : points) {
            Interval interval = point.interval();
            double value = point.y() == null ? 0 : point.y();
            low = Math.min(low, interval == null ? value : interval.low());
            high = Math.max(high, interval == null ? value : interval.high());
        }
        double span = Math.max(high - low, 1);
        return Axes.numbers(Axes.roundDown(low, span), Axes.roundUp(high > low ? high : 1, span));
    }

    /**
     * The change of the score with each change of a document, in standard deviations of the differences.
     *
     * @param results by model
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> needle(String dataset, Map<String, ProbeResult> results, Path folder) {
        Effects effects = new Effects(
                "needle", "change of the score when documents change: " + dataset, "effect size d = t / sqrt(n)");
        results.forEach((model, result) -> result.tests().forEach(test -> ProbePlots.add(effects, model, test)));
        return write(
                effects,
                "Points: mean of changed less unchanged score in its standard deviations. Whiskers: intervals of that"
                        + " mean, in the same unit.",
                folder);
    }

    /**
     * Gaps and contrast of reversed segments, in points of nDCG@10.
     *
     * @param results by model
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> reversal(String dataset, Map<String, Reversal> results, Path folder) {
        Effects effects = new Effects("reversal", "reversed segments: " + dataset, "nDCG@10 (points)");
        results.forEach((model, reversal) -> {
            add(effects, model, "gap, original", reversal.gap());
            add(effects, model, "gap, by place now", reversal.gapByPlace());
            add(effects, model, "gap, by place then", reversal.gapByContent());
            add(effects, model, "contrast", reversal.contrast());
        });
        return write(
                effects,
                "Gap: front less back. Contrast: back to front less front to back; above 0 the front is favoured."
                        + " Whiskers: t intervals.",
                folder);
    }

    private static void add(Effects effects, String model, String row, @Nullable Estimate estimate) {
        if (estimate != null) {
            Interval interval = estimate.interval();
            effects.add(
                    model,
                    row,
                    Cells.POINTS * estimate.value(),
                    new Interval(Cells.POINTS * interval.low(), Cells.POINTS * interval.high()));
        }
    }

    private static List<Path> write(Effects effects, String note, Path folder) {
        if (effects.isEmpty()) {
            return List.of();
        }
        Figure figure = effects.figure(note);
        return Plots.write(Map.of(figure.name(), figure), folder);
    }

    private static @Nullable Interval scaled(@Nullable Estimate estimate) {
        return estimate == null
                ? null
                : new Interval(
                        SCALE * estimate.interval().low(),
                        SCALE * estimate.interval().high());
    }
}
