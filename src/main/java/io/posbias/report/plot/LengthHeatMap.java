package io.posbias.report.plot;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.plot.Axes;
import io.posbias.plot.Figure;
import io.posbias.plot.HeatMap;
import io.posbias.plot.Panel;
import io.posbias.plot.Viridis;
import io.posbias.result.Result;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
                .filter(result -> !filled(cells, result).isEmpty())
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

    /** The bucket means within bands of length that exist. */
    private static List<Double> filled(Cells cells, Result result) {
        return cells.bands().stream()
                .map(band -> cells.profile(result, band))
                .filter(Objects::nonNull)
                .flatMap(profile -> profile.buckets().stream())
                .map(BucketMean::mean)
                .filter(Objects::nonNull)
                .toList();
    }

    /** From the least to the largest mean of all panels, rounded outwards: one colour is one number everywhere. */
    private static Viridis colours(Cells cells, List<Result> results) {
        double[] points = results.stream()
                .flatMap(result -> filled(cells, result).stream())
                .mapToDouble(mean -> Cells.POINTS * mean)
                .sorted()
                .toArray();
        double least = points[0];
        double most = points[points.length - 1];
        double span = Math.max(most - least, LEAST_SPAN);
        double high = Math.min(Cells.POINTS, Axes.roundUp(Math.max(most, LEAST_SPAN), span));
        return new Viridis(Math.max(0, Math.min(Axes.roundDown(least, span), high - LEAST_SPAN)), high);
    }

    private static Panel panel(Cells cells, Result result, Viridis colours, boolean written) {
        List<String> bands = cells.bands();
        HeatMap map = new HeatMap(cells.bucketAxis(), bands, colours);
        for (int row = 0; row < bands.size(); row++) {
            Profile profile = cells.profile(result, bands.get(row));
            List<BucketMean> buckets = profile == null ? List.of() : profile.buckets();
            for (int i = 0; i < buckets.size(); i++) {
                Double mean = buckets.get(i).mean();
                if (mean == null) {
                    map.addEmpty(i + 0.5, row);
                } else {
                    double points = Cells.POINTS * mean;
                    String mark = buckets.get(i).thin() ? THIN : "";
                    map.add(i + 0.5, row, points, written ? String.format(Locale.ROOT, "%.0f", points) + mark : "");
                }
            }
        }
        return new Panel(Cells.label(result), "", List.of(), map.plot());
    }

    private static String note(Cells cells, boolean written) {
        List<BucketMean> means = cells.means(cells.bands());
        boolean thin = written && means.stream().anyMatch(mean -> mean.thin() && mean.mean() != null);
        boolean empty = means.stream().anyMatch(mean -> mean.mean() == null);
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
