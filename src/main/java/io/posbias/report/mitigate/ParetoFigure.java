package io.posbias.report.mitigate;

import io.posbias.base.files.FileNames;
import io.posbias.base.plot.Figure;
import io.posbias.base.plot.Scatter;
import io.posbias.base.plot.Style;
import io.posbias.base.stats.Interval;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Effect.BucketSummary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Draws the mean of the worst bucket against the size of the vectors, or against their number if a size is unknown. */
final class ParetoFigure {
    private static final double POINTS = 100;

    private ParetoFigure() {}

    static Map<String, Figure> all(List<Mitigation> rows, String measure) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        Mitigations.groups(rows).values().forEach(own -> {
            boolean sized = own.stream().allMatch(row -> row.cost().megabytes() != null);
            List<Scatter.Point> points = points(own, sized);
            if (!points.isEmpty()) {
                Mitigation plain = own.getFirst();
                String file = FileNames.distinct(plain.model() + "-" + plain.dataset(), taken);
                figures.put("pareto-" + file, figure(plain, points, sized, measure));
            }
        });
        return figures;
    }

    private static List<Scatter.Point> points(List<Mitigation> rows, boolean sized) {
        List<Scatter.Point> points = new ArrayList<>();
        for (Mitigation row : rows) {
            Double worst = row.summary(BucketSummary.WORST);
            if (worst != null) {
                Interval interval = row.profile().buckets().stream()
                        .filter(bucket -> worst.equals(bucket.mean()))
                        .map(BucketMean::interval)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(new Interval(worst, worst));
                Double megabytes = row.cost().megabytes();
                double x = sized && megabytes != null ? megabytes : row.cost().vectorsPerPassage();
                points.add(new Scatter.Point(
                        row.strategy().isEmpty() ? row.model() : row.strategy(),
                        x,
                        new Interval(x, x),
                        POINTS * worst,
                        interval.times(POINTS),
                        Style.line(points.size()),
                        false));
            }
        }
        return points;
    }

    private static Figure figure(Mitigation plain, List<Scatter.Point> points, boolean sized, String measure) {
        return Scatter.pareto(
                "Worst bucket against cost: " + plain.model() + " on " + plain.dataset(),
                points,
                sized ? "vectors of all passages (MB)" : "vectors per passage",
                measure + " (points), worst bucket",
                "Filled: no other strategy has a better worst bucket for as much or less. Whiskers: intervals of the "
                        + "worst bucket's mean.");
    }
}
