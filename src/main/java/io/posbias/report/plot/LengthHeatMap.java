package io.posbias.report.plot;

import io.posbias.plot.ColourScale;
import io.posbias.plot.Curves;
import io.posbias.plot.Figure;
import io.posbias.plot.HeatMaps;
import io.posbias.result.Result;
import java.util.List;
import java.util.Locale;
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
        List<Result> results = cells.bucketed().stream()
                .filter(result -> cells.bands().stream()
                        .flatMap(band -> Cells.points(cells.profile(result, band)).stream())
                        .anyMatch(bucket -> bucket.y() != null))
                .toList();
        if (results.isEmpty()) {
            return null;
        }
        int buckets = cells.buckets().size();
        int beside = buckets >= MANY && results.size() <= 6 ? 1 : Figure.columnsFor(results.size());
        boolean written = (Figure.WIDTH - 100.0) / beside / buckets >= ROOM;
        List<HeatMaps.Line> lines = results.stream()
                .flatMap(result -> cells.bands().reversed().stream()
                        .map(band -> new HeatMaps.Line(
                                Cells.label(result),
                                "",
                                band,
                                Cells.points(cells.profile(result, band)).stream()
                                        .map(bucket -> cell(bucket, written))
                                        .toList())))
                .toList();
        return HeatMaps.figure(
                "heat",
                cells.title(cells.measure() + " by position of the evidence and length of the passage"),
                lines,
                cells::bucketAxis,
                beside,
                ColourScale.of(HeatMaps.numbers(lines), LEAST_SPAN, Cells.POINTS),
                cells.bucketAxis().quantity(),
                "length",
                note(cells, written));
    }

    private static HeatMaps.HeatCell cell(Curves.Point bucket, boolean written) {
        String text = written ? String.format(Locale.ROOT, "%.0f", bucket.y()) + (bucket.hollow() ? THIN : "") : "";
        return new HeatMaps.HeatCell(bucket.x(), bucket.y(), text);
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
                empty ? HeatMaps.EMPTY + ": no queries." : "",
                cells.bandNote()));
    }
}
