package io.posbias.report.plot;

import io.posbias.PosbiasException;
import io.posbias.measure.EvidencePlaces;
import io.posbias.measure.Reversal;
import io.posbias.probe.MovingCurve;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.SaliencyProfile;
import io.posbias.report.SegmentTables;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.NumberAxis;
import org.jspecify.annotations.Nullable;

/** Draws what diagnoses found, as SVG and PNG; each method writes its pictures whole or not at all, and says which. */
public final class DiagnosePlots {
    private static final double HEIGHT = 230;
    private static final double SCALE = 1000;
    private static final double OWN_HEIGHT = 150;

    private DiagnosePlots() {}

    /**
     * The score by the place of the evidence, less that at place 1, a line for each model.
     *
     * @param curves by model
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> moving(String dataset, Map<String, MovingCurve> curves, Path folder) {
        Map<String, List<PairTest>> againstFirst = new LinkedHashMap<>();
        curves.forEach((model, curve) -> againstFirst.put(model, curve.againstFirst()));
        Figure figure = moving(dataset, againstFirst);
        return Plots.write(Map.of(figure.name(), figure), folder);
    }

    /**
     * The same as a figure. Scores of different models have different units; in standard deviations of the differences
     * they share an axis.
     *
     * @param againstFirst each later place against the first, by model
     */
    static Figure moving(String data, Map<String, List<PairTest>> againstFirst) {
        Curves curves = new Curves();
        List<LegendItem> legend = new ArrayList<>();
        List<Curves.Point> all = new ArrayList<>();
        againstFirst.forEach((model, tests) -> {
            Style style = Style.line(legend.size());
            List<Curves.Point> points = new ArrayList<>(List.of(new Curves.Point(1, 0.0, null, false)));
            tests.forEach(test -> points.add(point(points.size() + 1, test)));
            curves.add(points, style);
            legend.add(style.lineItem(model));
            all.addAll(points);
        });
        double places = all.stream().mapToDouble(Curves.Point::x).max().orElse(1);
        return new Figure(
                "moving",
                "score by the place of the evidence: " + data,
                legend,
                List.of(new Panel("", "", List.of(), curves.plot(Axes.numbers(0.5, places + 0.5), drawn(all)))),
                1,
                HEIGHT,
                "place of the evidence",
                "less place 1, effect size d",
                null,
                "d: mean difference to place 1 in its standard deviations, t / sqrt(n). Bands: intervals of that mean, in the"
                        + " same unit.");
    }

    /** A gap is not drawn and has no height. */
    private static NumberAxis drawn(List<Curves.Point> points) {
        return Axes.around(points.stream().filter(point -> point.y() != null).map(Curves.Point::reach));
    }

    private static Curves.Point point(int place, PairTest test) {
        Effects.Effect effect = Effects.Effect.of(test);
        return effect == null
                ? new Curves.Point(place, null, null, false)
                : new Curves.Point(place, effect.value(), effect.interval(), false);
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
        results.forEach((model, result) -> result.tests().forEach(test -> effects.add(model, test)));
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

    /**
     * Mean cosines of whole texts and their segments, a row a model.
     *
     * @param cells of models and benchmarks, at least one
     * @param published whether what the paper printed has a picture too
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> segments(List<SegmentTables.Cell> cells, boolean published, Path folder) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        List<Figure> all = published
                ? List.of(SegmentHeatMap.of(cells), SegmentHeatMap.published())
                : List.of(SegmentHeatMap.of(cells));
        all.forEach(figure -> figures.put(figure.name(), figure));
        return Plots.write(figures, folder);
    }

    /**
     * How many queries have their evidence where, in the bins that were counted.
     *
     * @param title of the picture
     * @param places by what their panel is called, all of the same bins; at least one
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> evidence(String title, Map<String, EvidencePlaces> places, Path folder) {
        Figure figure = EvidenceHistogram.of(title, places);
        return Plots.write(Map.of(figure.name(), figure), folder);
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

    /**
     * Mean saliency by place in the document, one panel a model. The inner band is the t interval of the mean, the outer
     * one a standard deviation over pairs to both sides, as in PosIR's Figure 5.
     *
     * @param method how it was found, for the title
     * @param scaling whether documents were taken on their own scales, so that models share an axis; else in the score's
     *     unit, times 1000
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> saliency(
            String dataset, String method, Map<String, SaliencyProfile> profiles, boolean scaling, Path folder) {
        double unit = scaling ? 1 : SCALE;
        List<Panel> panels = new ArrayList<>();
        Interval shared = reach(profiles.values(), unit);
        profiles.forEach((model, profile) ->
                panels.add(panel(model, profile, unit, scaling ? shared : reach(List.of(profile), unit))));
        // Ticks are labelled at the left of each row: axes of different units stand below each other.
        int columns = scaling ? Figure.columnsFor(panels.size()) : 1;
        Figure figure = new Figure(
                "saliency",
                "saliency by place in the document: " + dataset + ", " + method,
                List.of(),
                panels,
                columns,
                scaling || panels.size() == 1 ? Figure.heightFor(columns) : OWN_HEIGHT,
                "place in the document, % of its length",
                scaling ? "mean saliency" : "mean saliency, x 1000",
                null,
                "Inner band: t interval of the mean; outer band: one standard deviation over pairs."
                        + (scaling
                                ? " 1: the 99th percentile of the document."
                                : " Each model has its own axis: scores have different units."));
        return Plots.write(Map.of(figure.name(), figure), folder);
    }

    private static Panel panel(String model, SaliencyProfile profile, double unit, Interval reach) {
        List<Curves.Point> spread = new ArrayList<>();
        List<Curves.Point> mean = new ArrayList<>();
        for (int i = 0; i < profile.points().size(); i++) {
            SaliencyProfile.Value value = profile.points().get(i);
            double x = 100.0 * i / (profile.points().size() - 1);
            double y = unit * value.mean();
            Interval interval = value.interval();
            spread.add(new Curves.Point(x, y, deviation(value, unit), false));
            mean.add(new Curves.Point(
                    x,
                    y,
                    interval == null ? null : new Interval(unit * interval.low(), unit * interval.high()),
                    false));
        }
        Curves curves = new Curves();
        curves.addBare(spread, Style.line(0));
        curves.addBare(mean, Style.line(0));
        return new Panel(
                model,
                "n = " + profile.pairs(),
                List.of(),
                curves.plot(Axes.numbers(0, 100), Axes.numbers(reach.low(), reach.high())));
    }

    private static @Nullable Interval deviation(SaliencyProfile.Value value, double unit) {
        Double deviation = value.deviation();
        return deviation == null
                ? null
                : new Interval(unit * (value.mean() - deviation), unit * (value.mean() + deviation));
    }

    /** A round range that holds 0 and all bands. */
    private static Interval reach(Collection<SaliencyProfile> profiles, double unit) {
        double low = 0;
        double high = 0;
        for (SaliencyProfile profile : profiles) {
            for (SaliencyProfile.Value value : profile.points()) {
                Interval spread = deviation(value, unit);
                low = Math.min(low, spread == null ? unit * value.mean() : spread.low());
                high = Math.max(high, spread == null ? unit * value.mean() : spread.high());
            }
        }
        double span = high - low > 0 ? high - low : 1;
        return new Interval(Axes.roundDown(low, span), Axes.roundUp(high > low ? high : low + span, span));
    }
}
