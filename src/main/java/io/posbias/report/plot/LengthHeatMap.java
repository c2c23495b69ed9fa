package io.posbias.report.plot;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.report.Result;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBlockRenderer;
import org.jfree.data.xy.DefaultXYZDataset;
import org.jspecify.annotations.Nullable;

/** Means by position and band of length, one panel a model. */
final class LengthHeatMap {
    private static final String THIN = "\u2020";
    private static final String EMPTY = "-";
    private static final double ROW = 24;
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
                ROW * bands.size(),
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
        XYPlot plot = Axes.plot(cells.bucketAxis(), bandAxis(bands));
        plot.setRangeGridlinesVisible(false);
        List<double[]> blocks = new ArrayList<>();
        for (int row = 0; row < bands.size(); row++) {
            Profile profile = cells.profile(result, bands.get(row));
            List<BucketMean> buckets = profile == null ? List.of() : profile.buckets();
            for (int i = 0; i < buckets.size(); i++) {
                Double mean = buckets.get(i).mean();
                if (mean != null) {
                    blocks.add(new double[] {i + 0.5, row, Cells.POINTS * mean});
                }
                if (written || mean == null) {
                    plot.addAnnotation(text(buckets.get(i), i + 0.5, row, colours));
                }
            }
        }
        DefaultXYZDataset dataset = new DefaultXYZDataset();
        dataset.addSeries("means", transposed(blocks));
        plot.setDataset(dataset);
        plot.setRenderer(renderer(colours));
        return new Panel(Cells.label(result), "", List.of(), plot);
    }

    private static NumberAxis bandAxis(List<String> bands) {
        SymbolAxis axis = new SymbolAxis(null, bands.toArray(String[]::new));
        Axes.dress(axis);
        axis.setGridBandsVisible(false);
        axis.setRange(-0.5, bands.size() - 0.5);
        return axis;
    }

    private static XYBlockRenderer renderer(Viridis colours) {
        XYBlockRenderer renderer = new XYBlockRenderer();
        renderer.setPaintScale(colours);
        renderer.setBlockWidth(1);
        renderer.setBlockHeight(1);
        renderer.setDefaultShape(new Rectangle2D.Double());
        return renderer;
    }

    private static XYTextAnnotation text(BucketMean bucket, double x, double y, Viridis colours) {
        Double mean = bucket.mean();
        double points = mean == null ? 0 : Cells.POINTS * mean;
        String mark = bucket.thin() ? THIN : "";
        String text = mean == null ? EMPTY : String.format(Locale.ROOT, "%.0f", points) + mark;
        XYTextAnnotation annotation = new XYTextAnnotation(text, x, y);
        annotation.setFont(Style.SMALL);
        annotation.setPaint(mean == null ? Style.FAINT : colours.ink(points));
        return annotation;
    }

    private static double[][] transposed(List<double[]> rows) {
        double[][] columns = new double[3][rows.size()];
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < columns.length; column++) {
                columns[column][row] = rows.get(row)[column];
            }
        }
        return columns;
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
                empty ? EMPTY + ": no queries." : "",
                cells.bandNote()));
    }
}
