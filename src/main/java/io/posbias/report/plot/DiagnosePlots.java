package io.posbias.report.plot;

import io.posbias.PosbiasException;
import io.posbias.probe.MovingCurve;
import io.posbias.probe.SaliencyProfile;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.NumberAxis;
import org.jspecify.annotations.Nullable;

/** Draws what diagnoses found, as SVG and PNG; each method writes its pictures whole or not at all, and says which. */
public final class DiagnosePlots {
    private static final double SCALE = 1000;
    private static final double OWN_HEIGHT = 150;

    private DiagnosePlots() {}

    /**
     * The mean score by the place of the evidence, less that of place 1, a line for each model; scores of different
     * models have different units, so each has a panel and an axis of its own.
     *
     * @param curves by model
     * @param folder made when it is absent
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> moving(String dataset, Map<String, MovingCurve> curves, Path folder) {
        List<Panel> panels = new ArrayList<>();
        curves.forEach((model, curve) -> panels.add(panel(model, curve)));
        int columns = Figure.columnsFor(panels.size());
        Figure figure = new Figure(
                "moving",
                "score by the place of the evidence: " + dataset,
                List.of(),
                panels,
                columns,
                Figure.heightFor(columns),
                "place of the evidence",
                "score less place 1, x 1000",
                null,
                "Bands: paired t intervals. Each model has its own axis: scores have different units.");
        return Plots.write(Map.of(figure.name(), figure), folder);
    }

    private static Panel panel(String model, MovingCurve curve) {
        List<Curves.Point> points = new ArrayList<>(List.of(new Curves.Point(1, 0.0, new Interval(0, 0), false)));
        double low = 0;
        double high = 0;
        for (int i = 0; i < curve.againstFirst().size(); i++) {
            Estimate change = curve.againstFirst().get(i).difference();
            double value = SCALE
                    * (curve.places().get(i + 1).mean()
                            - curve.places().getFirst().mean());
            Interval interval = scaled(change);
            points.add(new Curves.Point(i + 2, value, interval, false));
            low = Math.min(low, interval == null ? value : interval.low());
            high = Math.max(high, interval == null ? value : interval.high());
        }
        Curves curves = new Curves();
        curves.add(points, Style.line(0));
        double span = Math.max(high - low, 1);
        NumberAxis places = Axes.numbers(0.5, points.size() + 0.5);
        return new Panel(
                model,
                "n = " + curve.queries(),
                List.of(),
                curves.plot(
                        places,
                        Axes.numbers(Axes.roundDown(low, span), Axes.roundUp(Math.max(high, low + span), span))));
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

    private static @Nullable Interval scaled(@Nullable Estimate estimate) {
        return estimate == null
                ? null
                : new Interval(
                        SCALE * estimate.interval().low(),
                        SCALE * estimate.interval().high());
    }
}
