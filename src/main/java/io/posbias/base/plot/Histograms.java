package io.posbias.base.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.Arrays;
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

/** Histograms of queries by position of the evidence. */
public final class Histograms {
    private static final int MOST_BINS = 40;

    /** Bins are a multiple of this, so that every fifth edge has its label. */
    private static final int LABELLED = 5;

    private static final Color FILL = new Color(0x56, 0xB4, 0xE9);

    private Histograms() {}

    /**
     * A histogram.
     *
     * @param stratum may be empty
     * @param counts queries per bin or bucket
     */
    public record Histogram(String stratum, int queries, List<Integer> counts) {
        public Histogram {
            counts = List.copyOf(counts);
        }

        double share(int bin) {
            return queries == 0 ? 0 : 100.0 * counts.get(bin) / queries;
        }
    }

    /**
     * Makes a panel per histogram of relative position, with a line at the uniform distribution.
     *
     * @param place of which the position is, for example the middle of the evidence
     */
    public static Figure ofPositions(String title, List<Histogram> histograms, String place) {
        int bins = histograms.getFirst().counts().size();
        return figure(
                "evidence",
                title,
                histograms,
                place + " (% of the passage)",
                () -> BucketAxis.percent(bins),
                true,
                "Dashed: evenly spread.");
    }

    /**
     * Histogram of starts of the evidence in characters: Figure 2 of the SQuAD-PosQ paper. Widths of bins are 1, 2 or 5
     * times a power of ten, with at most {@value #MOST_BINS} bins.
     *
     * @param starts at least one, none below 0
     */
    public static Figure ofStarts(String title, int[] starts) {
        int last = Arrays.stream(starts).max().orElseThrow();
        int width = binWidth(last);
        int[] counts = new int[LABELLED * (last / width / LABELLED + 1)];
        Arrays.stream(starts).forEach(start -> counts[start / width]++);
        return figure(
                "starts",
                title,
                List.of(new Histogram(
                        "", starts.length, Arrays.stream(counts).boxed().toList())),
                BucketAxis.starts(counts.length, width).quantity(),
                () -> BucketAxis.starts(counts.length, width),
                false,
                "Bins of " + width + " characters; the last evidence begins at " + last + ".");
    }

    private static int binWidth(int last) {
        int power = 1;
        while (true) {
            for (int step : new int[] {1, 2, 5}) {
                if (last / (step * power) < MOST_BINS) {
                    return step * power;
                }
            }
            power *= 10;
        }
    }

    /**
     * Makes a panel per histogram.
     *
     * @param axes makes a new axis of bins, because plots do not share axes
     * @param even true for a line at the uniform distribution
     */
    private static Figure figure(
            String name,
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
                name, title, List.of(), panels, columns, Figure.heightFor(columns), xTitle, "queries (%)", null, note);
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
        return new Panel(title, "", plot);
    }

    private static XYBarRenderer bars() {
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setBarPainter(new StandardXYBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(true);
        renderer.setDefaultOutlinePaint(Style.INK);
        renderer.setDefaultOutlineStroke(Style.HAIR);
        return renderer;
    }
}
