package io.posbias.report.plot;

import io.posbias.plot.Axes;
import io.posbias.plot.Curves;
import io.posbias.plot.Figure;
import io.posbias.plot.Histograms;
import io.posbias.plot.Panel;
import io.posbias.plot.Style;
import io.posbias.position.Strata;
import io.posbias.result.Result;
import io.posbias.stats.Interval;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Stroke;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jfree.chart.LegendItem;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** Bucket means of all models side by side, with their intervals; a panel holds a few models, so that bars stay wide. */
final class BucketBars {
    private static final double FILLED = 0.8;

    private static final Stroke HOLLOW = new BasicStroke(1.6f);
    private static final double HEIGHT = 150;
    private static final double ONLY_HEIGHT = 230;

    private static final int MOST = 4;

    private BucketBars() {}

    private record Bars(Result result, String label, Color colour) {}

    /** The figure; null when no result has buckets. */
    static @Nullable Figure of(Cells cells) {
        List<Result> results = cells.bucketed();
        if (results.isEmpty()) {
            return null;
        }
        double top = cells.top(List.of(Strata.ALL));
        List<Panel> panels = evenly(results).stream()
                .map(some -> panel(
                        cells,
                        "",
                        some.stream()
                                .map(result -> new Bars(
                                        result,
                                        Cells.label(result),
                                        cells.style(result).colour()))
                                .toList(),
                        top))
                .toList();
        return new Figure(
                "bars",
                cells.title(cells.measure() + " by position of the evidence"),
                List.of(),
                panels,
                1,
                panels.size() == 1 ? ONLY_HEIGHT : HEIGHT,
                cells.bucketAxis().quantity(),
                cells.measure() + " (points)",
                null,
                cells.bucketNote(List.of(Strata.ALL), "Whiskers", "Hollow bars", "No bar"));
    }

    /**
     * Each model on a benchmark and on its tiny subset: Figure 3 of the SQuAD-PosQ paper.
     *
     * @return null when no model has buckets on both
     */
    static @Nullable Figure besideSubset(Cells whole, List<Result> tiny) {
        List<List<Result>> pairs = whole.bucketed().stream()
                .flatMap(full -> tiny.stream()
                        .filter(subset -> subset.model().equals(full.model()))
                        .map(subset -> List.of(full, subset)))
                .toList();
        Cells both = new Cells(
                whole.dataset(),
                whole.measure(),
                pairs.stream().flatMap(List::stream).toList(),
                whole.models());
        if (pairs.isEmpty() || both.bucketed().size() < both.results().size()) {
            return null;
        }
        double top = both.top(List.of(Strata.ALL));
        int columns = Figure.columnsFor(pairs.size());
        return new Figure(
                "subset",
                both.title(both.measure() + " on all queries and on the tiny subset"),
                List.of(),
                pairs.stream()
                        .map(pair -> panel(both, pair.getFirst().model(), wholeAndPart(pair), top))
                        .toList(),
                columns,
                Figure.heightFor(columns),
                both.bucketAxis().quantity(),
                both.measure() + " (points)",
                null,
                both.bucketNote(List.of(Strata.ALL), "Whiskers", "Hollow bars", "No bar"));
    }

    private static List<Bars> wholeAndPart(List<Result> pair) {
        return IntStream.range(0, pair.size())
                .mapToObj(i -> new Bars(pair.get(i), pair.get(i).dataset(), Style.fill(i)))
                .toList();
    }

    /** Cuts a list into the fewest parts of at most {@value #MOST} bars, of sizes that differ by one at most. */
    private static List<List<Result>> evenly(List<Result> results) {
        int parts = Math.ceilDiv(results.size(), MOST);
        List<List<Result>> cut = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            cut.add(results.subList(results.size() * part / parts, results.size() * (part + 1) / parts));
        }
        return cut;
    }

    private static Panel panel(Cells cells, String title, List<Bars> all, double top) {
        XYIntervalSeriesCollection bars = new XYIntervalSeriesCollection();
        YIntervalSeriesCollection whiskers = new YIntervalSeriesCollection();
        XYBarRenderer renderer = Histograms.bars();
        List<LegendItem> legend = new ArrayList<>();
        double width = FILLED / all.size();
        for (int i = 0; i < all.size(); i++) {
            Bars own = all.get(i);
            List<Curves.Point> buckets = Cells.points(cells.overall(own.result()));
            double left = (1 - FILLED) / 2 + i * width;
            renderer.setSeriesPaint(bars.getSeriesCount(), own.colour());
            bars.addSeries(bars("full " + i, buckets, false, left, width));
            renderer.setSeriesPaint(bars.getSeriesCount(), Color.WHITE);
            renderer.setSeriesOutlinePaint(bars.getSeriesCount(), own.colour());
            renderer.setSeriesOutlineStroke(bars.getSeriesCount(), HOLLOW);
            bars.addSeries(bars("thin " + i, buckets, true, left, width));
            whiskers.addSeries(whiskers("whiskers " + i, buckets, left + width / 2));
            legend.add(Style.fillItem(own.label(), own.colour()));
        }
        XYPlot plot = Axes.plot(cells.bucketAxis(), Axes.numbers(0, top));
        plot.setDataset(0, bars);
        plot.setRenderer(0, renderer);
        plot.setDataset(1, whiskers);
        plot.setRenderer(1, whiskerRenderer());
        return new Panel(title, "", legend, plot);
    }

    private static XYErrorRenderer whiskerRenderer() {
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setDrawXError(false);
        renderer.setDefaultShapesVisible(false);
        renderer.setErrorPaint(Style.INK);
        renderer.setErrorStroke(Style.HAIR);
        return renderer;
    }

    private static XYIntervalSeries bars(
            String key, List<Curves.Point> buckets, boolean thin, double left, double width) {
        XYIntervalSeries series = new XYIntervalSeries(key);
        for (int i = 0; i < buckets.size(); i++) {
            Double mean = buckets.get(i).y();
            if (mean != null && buckets.get(i).hollow() == thin) {
                series.add(i + left + width / 2, i + left, i + left + width, mean, 0, mean);
            }
        }
        return series;
    }

    private static YIntervalSeries whiskers(String key, List<Curves.Point> buckets, double middle) {
        YIntervalSeries series = new YIntervalSeries(key);
        for (int i = 0; i < buckets.size(); i++) {
            Interval interval = buckets.get(i).interval();
            Double mean = buckets.get(i).y();
            if (interval != null && mean != null) {
                series.add(i + middle, mean, interval.low(), interval.high());
            }
        }
        return series;
    }
}
