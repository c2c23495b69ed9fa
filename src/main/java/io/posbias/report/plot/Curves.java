package io.posbias.report.plot;

import io.posbias.measure.BucketMean;
import io.posbias.stats.Interval;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/**
 * Lines over buckets with their intervals, in one plot. A line is cut into runs of buckets that hold queries, its band into
 * runs of buckets that have an interval: nothing is drawn across a gap.
 */
final class Curves {
    private static final float BAND = 0.15f;

    private final YIntervalSeriesCollection bands = new YIntervalSeriesCollection();
    private final DeviationRenderer bandRenderer = new DeviationRenderer(false, false);
    private final YIntervalSeriesCollection whiskers = new YIntervalSeriesCollection();
    private final XYErrorRenderer whiskerRenderer = new XYErrorRenderer();
    private final XYSeriesCollection lines = new XYSeriesCollection();
    private final XYLineAndShapeRenderer lineRenderer = new XYLineAndShapeRenderer();

    Curves() {
        bandRenderer.setAlpha(BAND);
        whiskerRenderer.setDefaultShapesVisible(false);
        whiskerRenderer.setErrorStroke(Style.HAIR);
        // Segment by segment, dashes would begin anew at every point.
        lineRenderer.setDrawSeriesLineAsPath(true);
        lineRenderer.setUseFillPaint(true);
        lineRenderer.setDefaultOutlineStroke(Style.HAIR);
    }

    /** Adds the line of some buckets. */
    void add(List<BucketMean> buckets, Style style) {
        runs(buckets, bucket -> bucket.mean() != null && bucket.interval() != null)
                .forEach(run -> addBand(buckets, run, style.colour()));
        runs(buckets, bucket -> bucket.mean() != null).forEach(run -> addLine(buckets, run, style));
        addPoints(buckets, false, style, style.colour());
        addPoints(buckets, true, style, Color.WHITE);
    }

    /** The longest runs of buckets for which something holds, as lists of their places. */
    private static List<List<Integer>> runs(List<BucketMean> buckets, Predicate<BucketMean> holds) {
        List<List<Integer>> runs = new ArrayList<>();
        boolean open = false;
        for (int i = 0; i < buckets.size(); i++) {
            boolean here = holds.test(buckets.get(i));
            if (here && !open) {
                runs.add(new ArrayList<>());
            }
            if (here) {
                runs.getLast().add(i);
            }
            open = here;
        }
        return runs;
    }

    private void addBand(List<BucketMean> buckets, List<Integer> run, Color colour) {
        // A band over a single bucket would have no width.
        boolean lone = run.size() == 1;
        YIntervalSeriesCollection target = lone ? whiskers : bands;
        YIntervalSeries series = new YIntervalSeries(String.valueOf(target.getSeriesCount()));
        for (int i : run) {
            Interval interval = interval(buckets.get(i));
            series.add(i + 0.5, mean(buckets.get(i)), Cells.POINTS * interval.low(), Cells.POINTS * interval.high());
        }
        if (lone) {
            whiskerRenderer.setSeriesPaint(target.getSeriesCount(), colour);
        } else {
            bandRenderer.setSeriesFillPaint(target.getSeriesCount(), colour);
        }
        target.addSeries(series);
    }

    private void addLine(List<BucketMean> buckets, List<Integer> run, Style style) {
        int number = lines.getSeriesCount();
        lines.addSeries(points(number, buckets, run));
        lineRenderer.setSeriesShapesVisible(number, false);
        lineRenderer.setSeriesStroke(number, style.stroke());
        lineRenderer.setSeriesPaint(number, style.colour());
    }

    private void addPoints(List<BucketMean> buckets, boolean thin, Style style, Color fill) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < buckets.size(); i++) {
            if (buckets.get(i).mean() != null && buckets.get(i).thin() == thin) {
                places.add(i);
            }
        }
        int number = lines.getSeriesCount();
        lines.addSeries(points(number, buckets, places));
        lineRenderer.setSeriesLinesVisible(number, false);
        lineRenderer.setSeriesShape(number, style.marker());
        lineRenderer.setSeriesPaint(number, style.colour());
        lineRenderer.setSeriesFillPaint(number, fill);
    }

    private static XYSeries points(int number, List<BucketMean> buckets, List<Integer> places) {
        XYSeries series = new XYSeries(String.valueOf(number));
        places.forEach(i -> series.add(i + 0.5, mean(buckets.get(i))));
        return series;
    }

    private static double mean(BucketMean bucket) {
        Double mean = bucket.mean();
        return Cells.POINTS * (mean == null ? Double.NaN : mean);
    }

    private static Interval interval(BucketMean bucket) {
        Interval interval = bucket.interval();
        return interval == null ? new Interval(mean(bucket), mean(bucket)) : interval;
    }

    /** The plot with all lines added. */
    XYPlot plot(ValueAxis x, ValueAxis y) {
        XYPlot plot = Axes.plot(x, y);
        plot.setDataset(0, bands);
        plot.setRenderer(0, bandRenderer);
        plot.setDataset(1, whiskers);
        plot.setRenderer(1, whiskerRenderer);
        plot.setDataset(2, lines);
        plot.setRenderer(2, lineRenderer);
        return plot;
    }
}
