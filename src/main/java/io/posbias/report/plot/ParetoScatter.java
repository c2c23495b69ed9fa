package io.posbias.report.plot;

import io.posbias.plot.Axes;
import io.posbias.plot.Figure;
import io.posbias.plot.Panel;
import io.posbias.plot.PointLabels;
import io.posbias.plot.Style;
import java.awt.Color;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** What systems give against what they take; those that no other beats at no more cost are filled. */
public final class ParetoScatter {
    /** What the ordinate is in: the axis ends there. */
    private static final double POINTS = 100;

    private static final double HEIGHT = 360;
    private static final double LEAST_SPAN = 2;
    private static final double ROOM = 0.06;
    /** How many times as much as the cheapest the dearest takes on an axis by powers. */
    private static final double FAR = 10;
    /** How much such an axis goes on at its ends, for labels. */
    private static final double MARGIN = 2;

    private static final Color WHISKER = new Color(0xA8, 0xA8, 0xA8);
    private static final Color DOMINATED = Color.WHITE;

    private ParetoScatter() {}

    /**
     * The figure.
     *
     * @param points a system each: cost across, at least 0; a measure in points up; at least one
     */
    public static Figure of(String title, String cost, String measure, List<PointLabels.Point> points, String note) {
        return new Figure(
                "pareto",
                title,
                List.of(),
                List.of(new Panel("", "", List.of(), plot(points))),
                1,
                HEIGHT,
                cost,
                measure,
                null,
                note);
    }

    private static XYPlot plot(List<PointLabels.Point> points) {
        XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setErrorStroke(Style.HAIR);
        renderer.setErrorPaint(WHISKER);
        renderer.setUseFillPaint(true);
        renderer.setDrawOutlines(true);
        Style style = Style.line(0);
        for (PointLabels.Point at : points) {
            int number = dataset.getSeriesCount();
            XYIntervalSeries series = new XYIntervalSeries(String.valueOf(number));
            series.add(at.x(), at.xLow(), at.xHigh(), at.y(), at.yLow(), at.yHigh());
            dataset.addSeries(series);
            renderer.setSeriesShape(number, style.marker());
            renderer.setSeriesPaint(number, style.colour());
            renderer.setSeriesFillPaint(number, isDominated(at, points) ? DOMINATED : style.colour());
        }
        XYPlot plot = Axes.plot(across(points), up(points));
        Axes.drawAcross(plot);
        plot.setDataset(dataset);
        plot.setRenderer(renderer);
        plot.addAnnotation(new PointLabels(points));
        return plot;
    }

    /** Whether another is better and takes no more, or as good and takes less. */
    private static boolean isDominated(PointLabels.Point point, List<PointLabels.Point> all) {
        return all.stream()
                .anyMatch(other -> other.y() >= point.y()
                        && other.x() <= point.x()
                        && (other.y() > point.y() || other.x() < point.x()));
    }

    /** By powers of 10 where the dearest takes many times as much as the cheapest: on even steps the others would be one heap. */
    private static ValueAxis across(List<PointLabels.Point> points) {
        DoubleSummaryStatistics costs =
                points.stream().mapToDouble(PointLabels.Point::x).summaryStatistics();
        double least = costs.getMin();
        double most = costs.getMax();
        return least > 0 && most > FAR * least
                ? Axes.powers(least / MARGIN, most * MARGIN)
                : Axes.numbers(0, most > 0 ? Axes.roundUp(most * (1 + ROOM), most) : 1);
    }

    private static NumberAxis up(List<PointLabels.Point> points) {
        double low = points.stream().mapToDouble(PointLabels.Point::yLow).min().orElse(0);
        double high =
                points.stream().mapToDouble(PointLabels.Point::yHigh).max().orElse(POINTS);
        double span = Math.max(high - low, LEAST_SPAN);
        return Axes.numbers(
                Math.max(0, Axes.roundDown(low - ROOM * span, span)),
                Math.min(POINTS, Axes.roundUp(high + ROOM * span, span)));
    }
}
