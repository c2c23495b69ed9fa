package io.posbias.base.plot;

import io.posbias.base.stats.Interval;
import io.posbias.base.text.Printable;
import java.awt.Color;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** One plot of points with whiskers, each named in the legend. */
public final class Scatter {
    private static final Color WHISKER = new Color(0xA8, 0xA8, 0xA8);
    private static final double HEIGHT = 360;

    private static final double ROOM = 0.04;

    private static final double POINTS = 100;

    private static final double LEAST_SPAN = 2;

    private static final double FAR = 10;

    private static final double MARGIN = 2;

    private Scatter() {}

    /**
     * A point.
     *
     * @param across horizontal whisker; from {@code x} to {@code x} for none
     * @param up vertical whisker
     */
    public record Point(String label, double x, Interval across, double y, Interval up, Style style, boolean hollow) {
        private Color fill() {
            return hollow ? Color.WHITE : style.colour();
        }
    }

    /** Makes a figure of at least one point. */
    public static Figure figure(
            String name,
            String title,
            List<Point> points,
            ValueAxis x,
            ValueAxis y,
            String xTitle,
            String yTitle,
            String note) {
        XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setErrorStroke(Style.HAIR);
        renderer.setErrorPaint(WHISKER);
        renderer.setUseFillPaint(true);
        renderer.setDrawOutlines(true);
        List<LegendItem> legend = new ArrayList<>();
        for (Point point : points) {
            int number = legend.size();
            XYIntervalSeries series = new XYIntervalSeries(String.valueOf(number));
            series.add(point.x, point.across.low(), point.across.high(), point.y, point.up.low(), point.up.high());
            dataset.addSeries(series);
            renderer.setSeriesShape(number, point.style.marker());
            renderer.setSeriesPaint(number, point.style.colour());
            renderer.setSeriesFillPaint(number, point.fill());
            legend.add(new LegendItem(
                    Printable.of(point.label),
                    null,
                    null,
                    null,
                    point.style.marker(),
                    point.fill(),
                    Style.HAIR,
                    point.style.colour()));
        }
        XYPlot plot = Axes.plot(x, y);
        Axes.drawAcross(plot);
        plot.setDataset(dataset);
        plot.setRenderer(renderer);
        return new Figure(name, title, legend, List.of(new Panel("", "", plot)), 1, HEIGHT, xTitle, yTitle, null, note);
    }

    /**
     * Makes a figure of a measure, in points, against costs. Dominated points are hollow.
     *
     * @param points costs are at least 0
     */
    public static Figure pareto(String title, List<Point> points, String cost, String measure, String note) {
        return figure(
                "pareto",
                title,
                points.stream()
                        .map(point -> isDominated(point, points)
                                ? new Point(point.label, point.x, point.across, point.y, point.up, point.style, true)
                                : point)
                        .toList(),
                costs(points.stream().mapToDouble(Point::x).summaryStatistics()),
                axis(points.stream().map(Point::up), LEAST_SPAN, POINTS),
                cost,
                measure,
                note);
    }

    private static boolean isDominated(Point point, List<Point> all) {
        return all.stream()
                .anyMatch(
                        other -> other.y >= point.y && other.x <= point.x && (other.y > point.y || other.x < point.x));
    }

    /** Makes an axis of costs, logarithmic if they differ by more than a factor of {@value #FAR}. */
    static ValueAxis costs(DoubleSummaryStatistics costs) {
        double least = costs.getMin();
        double most = costs.getMax();
        return least > 0 && most > FAR * least
                ? Axes.powers(least / MARGIN, most * MARGIN)
                : Axes.roomy(0, most > 0 ? Axes.roundUp(most * (1 + ROOM), most) : 1);
    }

    /**
     * Makes an axis with room around all whiskers, from 0 or more.
     *
     * @param leastSpan minimum span
     * @param most maximum end
     */
    public static NumberAxis axis(Stream<Interval> whiskers, double leastSpan, double most) {
        Interval all = whiskers.reduce((a, b) -> new Interval(Math.min(a.low(), b.low()), Math.max(a.high(), b.high())))
                .orElse(new Interval(0, most));
        double span = Math.max(all.high() - all.low(), leastSpan);
        return Axes.roomy(
                Math.max(0, Axes.roundDown(all.low() - ROOM * span, span)),
                Math.min(most, Axes.roundUp(all.high() + ROOM * span, span)));
    }
}
