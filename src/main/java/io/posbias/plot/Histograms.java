package io.posbias.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Figures of how many queries lie where. */
public final class Histograms {
    private static final Color FILL = new Color(0x56, 0xB4, 0xE9);

    private Histograms() {}

    /**
     * Numbers of queries by place.
     *
     * @param stratum which queries; may be empty
     * @param queries how many there are
     * @param counts how many of them in each bin or bucket
     */
    public record Histogram(String stratum, int queries, List<Integer> counts) {
        /** Copies the counts. */
        public Histogram {
            counts = List.copyOf(counts);
        }

        /** Percent of the queries in a bin; 0 when there are no queries. */
        double share(int bin) {
            return queries == 0 ? 0 : 100.0 * counts.get(bin) / queries;
        }
    }

    /**
     * A panel for each histogram of equal bins of relative position, beside a line where evenly spread evidence would be.
     *
     * @param note besides that on the line
     */
    public static Figure ofPositions(String title, List<Histogram> histograms, String note) {
        int bins = histograms.getFirst().counts().size();
        return figure(
                title,
                histograms,
                "middle of the evidence (% of the passage)",
                () -> BucketAxis.percent(bins),
                true,
                ("Dashed: evenly spread. " + note).strip());
    }

    /**
     * A panel for each histogram.
     *
     * @param axes makes the axis of bins; a new one each time, for plots do not share axes
     * @param even whether a line marks what evenly spread queries would give
     */
    public static Figure figure(
            String title,
            List<Histogram> histograms,
            String xTitle,
            Supplier<BucketAxis> axes,
            boolean even,
            String note) {
        double top = histograms.stream()
                .flatMapToDouble(histogram ->
                        IntStream.range(0, histogram.counts().size()).mapToDouble(histogram::share))
                .max()
                .orElse(0);
        double end = Math.min(100, Axes.roundUp(Math.max(top, 1), top));
        List<Panel> panels = histograms.stream()
                .map(histogram -> panel(histogram, axes.get(), end, even))
                .toList();
        int columns = Figure.columnsFor(panels.size());
        return new Figure(
                "evidence",
                title,
                List.of(),
                panels,
                columns,
                Figure.heightFor(columns),
                xTitle,
                "queries (%)",
                null,
                note);
    }

    private static Panel panel(Histogram histogram, BucketAxis axis, double top, boolean even) {
        XYIntervalSeries series = new XYIntervalSeries("share");
        for (int bin = 0; bin < histogram.counts().size(); bin++) {
            double share = histogram.share(bin);
            series.add(bin + 0.5, bin, bin + 1.0, share, 0, share);
        }
        XYIntervalSeriesCollection bars = new XYIntervalSeriesCollection();
        bars.addSeries(series);
        XYBarRenderer renderer = bars();
        renderer.setSeriesPaint(0, FILL);
        XYPlot plot = Axes.plot(axis, Axes.numbers(0, top));
        plot.setDataset(bars);
        plot.setRenderer(renderer);
        if (even) {
            BasicStroke dashes =
                    new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {5, 3}, 0);
            plot.addRangeMarker(
                    new ValueMarker(100.0 / histogram.counts().size(), Style.INK, dashes), Layer.FOREGROUND);
        }
        String n = "n = " + histogram.queries();
        String title = histogram.stratum().isEmpty() ? n : histogram.stratum() + ", " + n;
        return new Panel(title, "", List.of(), plot);
    }

    /** Bars without gradients and shadows. */
    public static XYBarRenderer bars() {
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setBarPainter(new StandardXYBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(true);
        renderer.setDefaultOutlinePaint(Style.INK);
        renderer.setDefaultOutlineStroke(Style.HAIR);
        return renderer;
    }
}
