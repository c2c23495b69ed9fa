package io.posbias.report.plot;

import io.posbias.base.plot.Axes;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Scatter;
import io.posbias.base.stats.Interval;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jfree.chart.axis.NumberAxis;
import org.jspecify.annotations.Nullable;

/** PSI against the mean, a point per model. */
final class PsiScatter {
    private static final double LEAST_SPAN = 2;

    private static final double LEAST_PSI = 0.05;

    private static final double ROOM = 0.04;

    private PsiScatter() {}

    private record Average(
            String name, Function<Profile, @Nullable Double> value, Function<Profile, @Nullable Interval> interval) {}

    private static final Average OVER_QUERIES =
            new Average("mean over queries", Profile::queryMean, Profile::queryInterval);
    private static final Average OVER_BUCKETS =
            new Average("mean over buckets", Profile::bucketMean, Profile::bucketInterval);

    private record Point(Result result, Scatter.Point at, Psi psi) {
        static Point of(Cells cells, Result result, double mean, @Nullable Interval interval, Psi psi) {
            double value = Objects.requireNonNull(psi.value());
            Double noise = psi.noise95();
            Scatter.Point at = new Scatter.Point(
                    Cells.label(result),
                    mean,
                    interval == null ? new Interval(mean, mean) : interval.times(Cells.POINTS),
                    value,
                    psi.interval() == null ? new Interval(value, value) : psi.interval(),
                    cells.style(result),
                    noise != null && value <= noise);
            return new Point(result, at, psi);
        }
    }

    /** Draws the figure; null if no result has both a mean and a PSI. */
    static @Nullable Figure of(Cells cells) {
        Average average = points(cells, OVER_QUERIES).size()
                        >= points(cells, OVER_BUCKETS).size()
                ? OVER_QUERIES
                : OVER_BUCKETS;
        List<Point> points = points(cells, average);
        if (points.isEmpty()) {
            return null;
        }
        return Scatter.figure(
                "psi",
                cells.title("PSI against " + cells.measure()),
                points.stream().map(Point::at).toList(),
                Scatter.axis(points.stream().map(point -> point.at().across()), LEAST_SPAN, Cells.POINTS),
                psiAxis(points),
                cells.measure() + " (points), " + average.name(),
                "PSI (0: all positions are equal)",
                note(cells, points));
    }

    private static List<Point> points(Cells cells, Average average) {
        List<Point> points = new ArrayList<>();
        for (Result result : cells.results()) {
            Profile profile = cells.overall(result);
            Double mean = average.value().apply(profile);
            Psi psi = profile.printedPsi();
            if (mean != null && psi.value() != null) {
                points.add(Point.of(
                        cells, result, Cells.POINTS * mean, average.interval().apply(profile), psi));
            }
        }
        return points;
    }

    private static NumberAxis psiAxis(List<Point> points) {
        double top = Math.max(
                points.stream()
                        .mapToDouble(point -> point.at().up().high())
                        .max()
                        .orElse(1),
                LEAST_PSI);
        return Axes.roomy(0, Math.min(1, Axes.roundUp(top * (1 + ROOM), top)));
    }

    private static String note(Cells cells, List<Point> points) {
        boolean intervals = points.stream().anyMatch(point -> point.psi().interval() != null);
        boolean noise = points.stream().anyMatch(point -> point.at().hollow());
        boolean unknown = points.stream().anyMatch(point -> point.psi().noise95() == null);
        List<Result> drawn = points.stream().map(Point::result).toList();
        return Cells.joined(List.of(
                intervals ? "Whiskers: " + cells.confidence() + "intervals of PSI and of the mean." : "",
                noise ? "Hollow: PSI within noise95, the 95th percentile by " + cells.draws() + "." : "",
                unknown ? "Without whiskers: intervals and noise are not known." : "",
                cells.publishedNote(),
                Cells.unseen(drawn),
                cells.missing(drawn, "PSI is undefined or of few queries, or this mean is not known")));
    }
}
