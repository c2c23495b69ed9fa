package io.posbias.report.mitigate;

import io.posbias.measure.BucketMean;
import io.posbias.measure.BucketSummary;
import io.posbias.plot.Axes;
import io.posbias.plot.Figure;
import io.posbias.plot.Panel;
import io.posbias.plot.PointLabels;
import io.posbias.plot.Style;
import io.posbias.stats.Interval;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/**
 * The mean of the worst bucket against the size of the vectors: what a strategy gives for what it takes. Where a strategy has
 * none, or does not say how big they are, their number stands for their size.
 */
final class ParetoFigure {
    private static final double POINTS = 100;
    private static final double HEIGHT = 360;
    private static final double MEGA = 1e6;
    private static final double LEAST_SPAN = 2;
    private static final double ROOM = 0.06;
    private static final Color WHISKER = new Color(0xA8, 0xA8, 0xA8);
    private static final Color DOMINATED = Color.WHITE;

    private ParetoFigure() {}

    /** A figure for each model on each benchmark, by the names of their files. */
    static Map<String, Figure> all(List<Mitigation> rows, String measure) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        Mitigations.groups(rows).values().forEach(own -> {
            boolean sized = own.stream().allMatch(row -> row.cost().bytes() != null);
            List<PointLabels.Point> points = own.stream()
                    .map(row -> point(row, sized))
                    .filter(Objects::nonNull)
                    .toList();
            if (!points.isEmpty()) {
                Mitigation plain = own.getFirst();
                String file = (plain.model() + "-" + plain.dataset()).replaceAll("[^\\p{L}\\p{N}._-]", "-");
                figures.put("pareto-" + file, figure(plain, points, sized, measure));
            }
        });
        return figures;
    }

    private static PointLabels.@Nullable Point point(Mitigation row, boolean sized) {
        Double worst = row.summary(BucketSummary.WORST);
        if (worst == null) {
            return null;
        }
        Interval interval = row.profile().buckets().stream()
                .filter(bucket -> worst.equals(bucket.mean()))
                .map(BucketMean::interval)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(new Interval(worst, worst))
                .times(POINTS);
        Double bytes = row.cost().bytes();
        double x = sized && bytes != null ? bytes / MEGA : row.cost().vectors();
        String label = row.strategy().isEmpty() ? row.model() : row.strategy();
        return new PointLabels.Point(label, x, x, x, POINTS * worst, interval.low(), interval.high());
    }

    private static Figure figure(Mitigation plain, List<PointLabels.Point> points, boolean sized, String measure) {
        return new Figure(
                "pareto",
                "Worst bucket against cost: " + plain.model() + " on " + plain.dataset(),
                List.of(),
                List.of(new Panel("", "", List.of(), plot(points))),
                1,
                HEIGHT,
                sized ? "vectors of all passages (MB)" : "vectors per passage",
                measure + " (points), worst bucket",
                null,
                "Filled: no other strategy has a better worst bucket for as much or less. Whiskers: intervals of the "
                        + "worst bucket's mean.");
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
        plot.addAnnotation(new PointLabels(new ArrayList<>(points)));
        return plot;
    }

    /** Whether another is better and takes no more, or as good and takes less. */
    private static boolean isDominated(PointLabels.Point point, List<PointLabels.Point> all) {
        return all.stream()
                .anyMatch(other -> other.y() >= point.y()
                        && other.x() <= point.x()
                        && (other.y() > point.y() || other.x() < point.x()));
    }

    private static NumberAxis across(List<PointLabels.Point> points) {
        double most = points.stream()
                .map(PointLabels.Point::x)
                .max(Comparator.naturalOrder())
                .orElse(1.0);
        return Axes.numbers(0, Axes.roundUp(most * (1 + ROOM), most));
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
