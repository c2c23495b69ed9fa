package io.posbias.report.plot;

import io.posbias.measure.Profile;
import io.posbias.measure.Psi;
import io.posbias.plot.Axes;
import io.posbias.plot.Figure;
import io.posbias.plot.Panel;
import io.posbias.plot.PointLabels;
import io.posbias.plot.Style;
import io.posbias.report.leaderboard.Families;
import io.posbias.result.Result;
import io.posbias.stats.Interval;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** PSI against the mean, a point a model: whether good models are less biased. */
final class PsiScatter {
    private static final Color WHISKER = new Color(0xA8, 0xA8, 0xA8);
    private static final double HEIGHT = 360;
    /** Points and PSI that the axes span at least. */
    private static final double LEAST_SPAN = 2;

    private static final double LEAST_PSI = 0.05;
    /** Room beyond the outermost points, as a share of the axis. */
    private static final double ROOM = 0.04;

    private static final List<String> FAMILIES = Families.names();

    private PsiScatter() {}

    /** An average of a profile with its interval, where it has one. */
    private record Average(
            String name, Function<Profile, @Nullable Double> value, Function<Profile, @Nullable Interval> interval) {}

    private static final Average OVER_QUERIES =
            new Average("mean over queries", Profile::queryMean, Profile::queryInterval);
    private static final Average OVER_BUCKETS =
            new Average("mean over buckets", Profile::bucketMean, Profile::bucketInterval);

    /** One model; the ends of its whiskers are the point itself where no interval is known. */
    private record Point(Result result, PointLabels.Point at, Psi psi) {
        static Point of(Result result, double mean, @Nullable Interval interval, Psi psi) {
            double value = Objects.requireNonNull(psi.value());
            Interval across = interval == null ? new Interval(mean, mean) : interval.times(Cells.POINTS);
            Interval up = psi.interval() == null ? new Interval(value, value) : psi.interval();
            return new Point(
                    result,
                    new PointLabels.Point(
                            Cells.label(result), mean, across.low(), across.high(), value, up.low(), up.high()),
                    psi);
        }

        boolean withinNoise() {
            Double noise = psi.noise95();
            return noise != null && at.y() <= noise;
        }
    }

    /** The figure; null when no result has both a mean and a PSI. */
    static @Nullable Figure of(Cells cells) {
        Average average = points(cells, OVER_QUERIES).size()
                        >= points(cells, OVER_BUCKETS).size()
                ? OVER_QUERIES
                : OVER_BUCKETS;
        List<Point> points = points(cells, average);
        if (points.isEmpty()) {
            return null;
        }
        List<String> families = families(points);
        return new Figure(
                "psi",
                cells.title("PSI against " + cells.measure()),
                legend(families),
                List.of(new Panel("", "", List.of(), plot(cells, points, families))),
                1,
                HEIGHT,
                cells.measure() + " (points), " + average.name(),
                "PSI (0: all positions are equal)",
                null,
                note(cells, points));
    }

    private static List<Point> points(Cells cells, Average average) {
        List<Point> points = new ArrayList<>();
        for (Result result : cells.results()) {
            Profile profile = cells.overall(result);
            Double mean = average.value().apply(profile);
            if (mean != null && profile.psi().value() != null) {
                points.add(
                        Point.of(result, Cells.POINTS * mean, average.interval().apply(profile), profile.psi()));
            }
        }
        return points;
    }

    private static List<String> families(List<Point> points) {
        List<String> present =
                points.stream().map(point -> point.result().family()).distinct().toList();
        List<String> ordered = new ArrayList<>(FAMILIES);
        ordered.retainAll(present);
        present.stream().filter(family -> !FAMILIES.contains(family)).forEach(ordered::add);
        return ordered;
    }

    /** A family keeps its marker from figure to figure; the colour is the model's. */
    private static Style family(String family, List<String> families) {
        int known = FAMILIES.indexOf(family);
        Style style = Style.line(known >= 0 ? known : FAMILIES.size() + families.indexOf(family));
        return new Style(Style.INK, style.stroke(), style.marker());
    }

    private static List<LegendItem> legend(List<String> families) {
        return families.size() == 1
                ? List.of()
                : families.stream()
                        .map(family -> family(family, families).pointItem(family))
                        .toList();
    }

    private static XYPlot plot(Cells cells, List<Point> points, List<String> families) {
        XYIntervalSeriesCollection dataset = new XYIntervalSeriesCollection();
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setErrorStroke(Style.HAIR);
        renderer.setErrorPaint(WHISKER);
        renderer.setUseFillPaint(true);
        renderer.setDrawOutlines(true);
        for (Point point : points) {
            int number = dataset.getSeriesCount();
            XYIntervalSeries series = new XYIntervalSeries(String.valueOf(number));
            PointLabels.Point at = point.at();
            series.add(at.x(), at.xLow(), at.xHigh(), at.y(), at.yLow(), at.yHigh());
            dataset.addSeries(series);
            Color colour = cells.style(point.result()).colour();
            renderer.setSeriesShape(
                    number, family(point.result().family(), families).marker());
            renderer.setSeriesPaint(number, colour);
            renderer.setSeriesFillPaint(number, point.withinNoise() ? Color.WHITE : colour);
        }
        XYPlot plot = Axes.plot(meanAxis(points), psiAxis(points));
        Axes.drawAcross(plot);
        plot.setDataset(dataset);
        plot.setRenderer(renderer);
        plot.addAnnotation(new PointLabels(points.stream().map(Point::at).toList()));
        return plot;
    }

    private static NumberAxis meanAxis(List<Point> points) {
        double left =
                points.stream().mapToDouble(point -> point.at().xLow()).min().orElse(0);
        double right =
                points.stream().mapToDouble(point -> point.at().xHigh()).max().orElse(Cells.POINTS);
        double span = Math.max(right - left, LEAST_SPAN);
        double room = span * ROOM;
        return Axes.numbers(
                Math.max(0, Axes.roundDown(left - room, span)),
                Math.min(Cells.POINTS, Axes.roundUp(right + room, span)));
    }

    private static NumberAxis psiAxis(List<Point> points) {
        double top = Math.max(
                points.stream().mapToDouble(point -> point.at().yHigh()).max().orElse(1), LEAST_PSI);
        return Axes.numbers(0, Math.min(1, Axes.roundUp(top * (1 + ROOM), top)));
    }

    private static String note(Cells cells, List<Point> points) {
        boolean intervals = points.stream().anyMatch(point -> point.psi().interval() != null);
        boolean noise = points.stream().anyMatch(Point::withinNoise);
        boolean unknown = points.stream().anyMatch(point -> point.psi().noise95() == null);
        List<Result> drawn = points.stream().map(Point::result).toList();
        return Cells.joined(List.of(
                intervals ? "Whiskers: " + cells.confidence() + "intervals of PSI and of the mean." : "",
                noise ? "Hollow: PSI within the 95th percentile under random permutation (noise95)." : "",
                unknown ? "Without whiskers: intervals and noise are not known." : "",
                cells.publishedNote(),
                Cells.unseen(drawn),
                cells.missing(drawn, "PSI is undefined or this mean is not known")));
    }
}
