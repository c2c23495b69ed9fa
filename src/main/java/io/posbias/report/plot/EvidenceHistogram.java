package io.posbias.report.plot;

import io.posbias.dataset.Evidence;
import io.posbias.measure.BucketMean;
import io.posbias.measure.EvidencePlaces;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.report.QueriesFile;
import io.posbias.report.Result;
import io.posbias.stats.Proportion;
import java.awt.BasicStroke;
import java.awt.Color;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** Where evidence lies in its passages: PosIR's Figure 2. */
final class EvidenceHistogram {
    private static final int BINS = 20;
    private static final String MIDDLE = "middle of the evidence (% of the passage)";
    private static final String EVEN = "Dashed: evenly spread.";
    private static final Color FILL = new Color(0x56, 0xB4, 0xE9);

    private EvidenceHistogram() {}

    /**
     * The figure, from queries.csv if that knows positions, else from the numbers of queries in the buckets.
     *
     * @param queries the queries.csv of each result that has one; all results of a benchmark have the same queries
     * @return null when nothing is known of where evidence lies
     */
    static @Nullable Figure of(Cells cells, Map<Result, Path> queries) {
        for (Result result : cells.results()) {
            Path file = queries.get(result);
            Figure exact = file == null ? null : ofPositions(cells, result, file);
            if (exact != null) {
                return exact;
            }
        }
        return ofBuckets(cells);
    }

    /**
     * The figure of what was counted of whole benchmarks.
     *
     * @param title of the whole
     * @param places by the title of their panel, all of the same bins; at least one
     */
    static Figure of(String title, Map<String, EvidencePlaces> places) {
        List<Histogram> histograms = new ArrayList<>();
        places.forEach((name, found) -> histograms.add(new Histogram(
                name,
                found.firstThird().n(),
                found.bins().stream().map(Proportion::hits).toList())));
        int bins = histograms.getFirst().counts().size();
        return figure(title, histograms, MIDDLE, () -> BucketAxis.percent(bins), true, EVEN);
    }

    private static @Nullable Figure ofPositions(Cells cells, Result result, Path queries) {
        Bucketing bucketing = Bucketing.parse(result.settings().buckets());
        QueriesFile file = new QueriesFile(List.of(), bucketing);
        file.add(queries, "");
        List<Evidence> placed = file.scores().queries().stream()
                .map(query -> Objects.requireNonNull(query.evidence(), "queries.csv gives evidence"))
                .filter(Evidence::isPlaced)
                .toList();
        if (placed.isEmpty()) {
            return null;
        }
        List<Histogram> histograms = new ArrayList<>(List.of(Histogram.of(Strata.ALL, placed)));
        List<String> bands = bucketing.strata().bands();
        for (int i = 0; i < bands.size(); i++) {
            int band = i;
            List<Evidence> within = placed.stream()
                    .filter(evidence -> bucketing.strata().of(evidence) == band)
                    .toList();
            histograms.add(Histogram.of(bands.get(band), within));
        }
        return figure(
                cells.title("where evidence lies (from queries.csv)"),
                histograms,
                MIDDLE,
                () -> BucketAxis.percent(BINS),
                true,
                Cells.joined(List.of(EVEN, cells.bandNote())));
    }

    private static @Nullable Figure ofBuckets(Cells cells) {
        Result result = cells.bucketed().stream()
                .filter(each -> cells.overall(each).queries() > 0)
                .findFirst()
                .orElse(null);
        if (result == null) {
            return null;
        }
        List<String> strata = new ArrayList<>(List.of(Strata.ALL));
        strata.addAll(cells.bands());
        List<Histogram> histograms = strata.stream()
                .map(stratum -> cells.profile(result, stratum))
                .filter(Objects::nonNull)
                .map(profile -> new Histogram(
                        profile.stratum(),
                        profile.queries(),
                        profile.buckets().stream().map(BucketMean::queries).toList()))
                .toList();
        BucketAxis axis = cells.bucketAxis();
        return figure(
                cells.title("where evidence lies (from bucket counts)"),
                histograms,
                axis.quantity(),
                cells::bucketAxis,
                false,
                cells.bandNote());
    }

    /**
     * Numbers of queries by place.
     *
     * @param stratum which queries
     * @param queries how many there are
     * @param counts how many of them in each bin or bucket
     */
    private record Histogram(String stratum, int queries, List<Integer> counts) {
        static Histogram of(String stratum, List<Evidence> placed) {
            Integer[] counts = new Integer[BINS];
            Arrays.fill(counts, 0);
            placed.forEach(evidence -> counts[evidence.relativeBin(BINS)]++);
            return new Histogram(stratum, placed.size(), List.of(counts));
        }

        /** Percent of the queries in a bin; 0 when there are no queries. */
        double share(int bin) {
            return queries == 0 ? 0 : 100.0 * counts.get(bin) / queries;
        }
    }

    private static Figure figure(
            String title,
            List<Histogram> histograms,
            String xTitle,
            Supplier<BucketAxis> axes,
            boolean even,
            String note) {
        double top = 0;
        for (Histogram histogram : histograms) {
            for (int bin = 0; bin < histogram.counts().size(); bin++) {
                top = Math.max(top, histogram.share(bin));
            }
        }
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
        XYBarRenderer renderer = BucketBars.renderer();
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
}
