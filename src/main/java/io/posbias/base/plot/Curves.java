package io.posbias.base.plot;

import io.posbias.base.stats.Interval;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** Lines with interval bands in one plot. Lines and bands are interrupted where a value or an interval is missing. */
public final class Curves {
    private static final float BAND = 0.15f;

    private final YIntervalSeriesCollection bands = new YIntervalSeriesCollection();
    private final DeviationRenderer bandRenderer = new DeviationRenderer(false, false);
    private final YIntervalSeriesCollection whiskers = new YIntervalSeriesCollection();
    private final XYErrorRenderer whiskerRenderer = new XYErrorRenderer();
    private final XYSeriesCollection lines = new XYSeriesCollection();
    private final XYLineAndShapeRenderer lineRenderer = new XYLineAndShapeRenderer();

    public Curves() {
        bandRenderer.setAlpha(BAND);
        whiskerRenderer.setDefaultShapesVisible(false);
        whiskerRenderer.setErrorStroke(Style.HAIR);
        // Segment by segment, dashes would begin anew at every point.
        lineRenderer.setDrawSeriesLineAsPath(true);
        lineRenderer.setUseFillPaint(true);
        lineRenderer.setDefaultOutlineStroke(Style.HAIR);
    }

    /**
     * A point of a line.
     *
     * @param y null for a gap
     * @param interval around y; null if unknown
     * @param hollow true for a hollow marker
     */
    public record Point(
            double x, @Nullable Double y, @Nullable Interval interval, boolean hollow) {
        private double height() {
            return y == null ? Double.NaN : y;
        }

        /** Returns the interval, or the value alone. */
        public Interval reach() {
            return interval == null ? new Interval(height(), height()) : interval;
        }
    }

    /** Adds a line with a marker at each of its points. */
    public void add(List<Point> points, Style style) {
        addBare(points, style);
        addMarkers(points, false, style, style.colour());
        addMarkers(points, true, style, Color.WHITE);
    }

    /** Adds a line without markers, for points that are many. */
    public void addBare(List<Point> points, Style style) {
        runs(points, point -> point.y() != null && point.interval() != null)
                .forEach(run -> addBand(run, style.colour()));
        runs(points, point -> point.y() != null).forEach(run -> addLine(run, style));
    }

    private static List<List<Point>> runs(List<Point> points, Predicate<Point> holds) {
        List<List<Point>> runs = new ArrayList<>();
        boolean open = false;
        for (Point point : points) {
            boolean here = holds.test(point);
            if (here && !open) {
                runs.add(new ArrayList<>());
            }
            if (here) {
                runs.getLast().add(point);
            }
            open = here;
        }
        return runs;
    }

    private void addBand(List<Point> run, Color colour) {
        // A band over a single point would have no width.
        boolean lone = run.size() == 1;
        YIntervalSeriesCollection target = lone ? whiskers : bands;
        YIntervalSeries series = new YIntervalSeries(String.valueOf(target.getSeriesCount()));
        run.forEach(point -> series.add(
                point.x(), point.height(), point.reach().low(), point.reach().high()));
        if (lone) {
            whiskerRenderer.setSeriesPaint(target.getSeriesCount(), colour);
        } else {
            bandRenderer.setSeriesFillPaint(target.getSeriesCount(), colour);
        }
        target.addSeries(series);
    }

    private void addLine(List<Point> run, Style style) {
        int number = lines.getSeriesCount();
        lines.addSeries(series(number, run));
        lineRenderer.setSeriesShapesVisible(number, false);
        lineRenderer.setSeriesStroke(number, style.stroke());
        lineRenderer.setSeriesPaint(number, style.colour());
    }

    private void addMarkers(List<Point> points, boolean hollow, Style style, Color fill) {
        int number = lines.getSeriesCount();
        lines.addSeries(series(
                number,
                points.stream()
                        .filter(point -> point.y() != null && point.hollow() == hollow)
                        .toList()));
        lineRenderer.setSeriesLinesVisible(number, false);
        lineRenderer.setSeriesShape(number, style.marker());
        lineRenderer.setSeriesPaint(number, style.colour());
        lineRenderer.setSeriesFillPaint(number, fill);
    }

    private static XYSeries series(int number, List<Point> points) {
        XYSeries series = new XYSeries(String.valueOf(number));
        points.forEach(point -> series.add(point.x(), point.height()));
        return series;
    }

    public XYPlot plot(ValueAxis x, ValueAxis y) {
        XYPlot plot = Axes.plot(x, y);
        plot.setDataset(0, bands);
        plot.setRenderer(0, bandRenderer);
        plot.setDataset(1, whiskers);
        plot.setRenderer(1, whiskerRenderer);
        plot.setDataset(2, lines);
        plot.setRenderer(2, lineRenderer);
        return plot;
    }
}
