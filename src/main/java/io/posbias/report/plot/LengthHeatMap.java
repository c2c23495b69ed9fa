package io.posbias.report.plot;

import io.posbias.plot.Axes;
import io.posbias.plot.Curves;
import io.posbias.plot.Figure;
import io.posbias.plot.HeatMap;
import io.posbias.plot.Panel;
import io.posbias.plot.Viridis;
import io.posbias.result.Result;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Means by position and band of length, one panel a model. */
final class LengthHeatMap {
    private static final String THIN = "\u2020";
    /** What a number of three digits and a mark needs in a cell. */
    private static final double ROOM = 30;
    /** From so many buckets on, a few models get a row each. */
    private static final int MANY = 9;
    /** Points that the colours span at least, so that noise does not look like the rainbow. */
    private static final double LEAST_SPAN = 5;

    private LengthHeatMap() {}

    /** The figure; null when no result has buckets within bands of length. */
    static @Nullable Figure of(Cells cells) {
        List<String> bands = cells.bands();
        List<Result> results = cells.bucketed().stream()
                .filter(result -> filled(cells, result).findAny().isPresent())
                .toList();
        if (results.isEmpty()) {
            return null;
        }
        Viridis colours = colours(cells, results);
        int buckets = cells.buckets().size();
        int columns = buckets >= MANY && results.size() <= 6 ? 1 : Figure.columnsFor(results.size());
        boolean written = (Figure.WIDTH - 100.0) / columns / buckets >= ROOM;
        List<Panel> panels = results.stream()
                .map(result -> panel(cells, result, colours, written))
                .toList();
        return new Figure(
                "heat",
                cells.title(cells.measure() + " by position of the evidence and length of the passage"),
                List.of(),
                panels,
                columns,
                HeatMap.ROW * bands.size(),
                cells.bucketAxis().quantity(),
                "length",
                colours,
                note(cells, written));
    }

    /** The bucket means within bands of length that exist, in points. */
    private static DoubleStream filled(Cells cells, Result result) {
        return cells.bands().stream()
                .flatMap(band -> Cells.points(cells.profile(result, band)).stream())
                .map(Curves.Point::y)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue);
    }

    /** From the least to the largest mean of all panels, rounded outwards: one colour is one number everywhere. */
    private static Viridis colours(Cells cells, List<Result> results) {
        DoubleSummaryStatistics points = results.stream()
                .flatMapToDouble(result -> filled(cells, result))
                .summaryStatistics();
        double span = Math.max(points.getMax() - points.getMin(), LEAST_SPAN);
        double high = Math.min(Cells.POINTS, Axes.roundUp(Math.max(points.getMax(), LEAST_SPAN), span));
        return new Viridis(Math.max(0, Math.min(Axes.roundDown(points.getMin(), span), high - LEAST_SPAN)), high);
    }

    private static Panel panel(Cells cells, Result result, Viridis colours, boolean written) {
        List<String> bands = cells.bands();
        HeatMap map = new HeatMap(cells.bucketAxis(), bands, colours);
        for (int row = 0; row < bands.size(); row++) {
            for (Curves.Point bucket : Cells.points(cells.profile(result, bands.get(row)))) {
                Double points = bucket.y();
                if (points == null) {
                    map.addEmpty(bucket.x(), row);
                } else {
                    String mark = bucket.hollow() ? THIN : "";
                    map.add(bucket.x(), row, points, written ? String.format(Locale.ROOT, "%.0f", points) + mark : "");
                }
            }
        }
        return new Panel(Cells.label(result), "", List.of(), map.plot());
    }

    private static String note(Cells cells, boolean written) {
        List<Curves.Point> means = cells.means(cells.bands());
        boolean thin = written && means.stream().anyMatch(mean -> mean.hollow() && mean.y() != null);
        boolean empty = means.stream().anyMatch(mean -> mean.y() == null);
        return Cells.joined(List.of(
                (written ? "Colours and numbers: " : "Colours: ") + cells.measure() + " in points.",
                thin
                        ? THIN + " fewer than "
                                + cells.bucketed().getFirst().settings().thinBelow() + " queries."
                        : "",
                empty ? HeatMap.EMPTY + ": no queries." : "",
                cells.bandNote()));
    }
}
