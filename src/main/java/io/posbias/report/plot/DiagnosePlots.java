package io.posbias.report.plot;

import io.posbias.PosbiasException;
import io.posbias.measure.EvidencePlaces;
import io.posbias.probe.MovingCurve;
import io.posbias.report.SegmentTables;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jfree.chart.axis.NumberAxis;
import org.jspecify.annotations.Nullable;

/** Draws what diagnoses found, as SVG and PNG; each method writes its pictures whole or not at all, and says which. */
public final class DiagnosePlots {
    private static final double SCALE = 1000;

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

    private static @Nullable Interval scaled(@Nullable Estimate estimate) {
        return estimate == null
                ? null
                : new Interval(
                        SCALE * estimate.interval().low(),
                        SCALE * estimate.interval().high());
    }
}
