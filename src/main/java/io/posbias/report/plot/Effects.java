package io.posbias.report.plot;

import io.posbias.stats.Interval;
import java.awt.BasicStroke;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XIntervalSeries;
import org.jfree.data.xy.XIntervalSeriesCollection;
import org.jspecify.annotations.Nullable;

/** Effects with their intervals as points on rows, those of several models below each other in a row, 0 marked. */
final class Effects {
    private static final double ROW = 14;
    private static final double LETTER = 6.2;
    private static final double LEAST_LEFT = 56;
    private static final double Y_TITLE = 26;
    private static final double CHANGE = 0.16;

    private final String name;
    private final String title;
    private final String xTitle;
    private final Map<String, Map<String, Effect>> byModel = new LinkedHashMap<>();
    private final Set<String> rows = new LinkedHashSet<>();

    /** What stands at one row of one model. */
    private record Effect(double value, @Nullable Interval interval) {}

    /**
     * A figure without points.
     *
     * @param name of its files
     * @param xTitle what an effect is, with its unit
     */
    Effects(String name, String title, String xTitle) {
        this.name = name;
        this.title = title;
        this.xTitle = xTitle;
    }

    /** Adds a point; rows stand in the order in which they come first, from top to bottom. */
    void add(String model, String row, double value, @Nullable Interval interval) {
        rows.add(row);
        byModel.computeIfAbsent(model, unseen -> new LinkedHashMap<>()).put(row, new Effect(value, interval));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The figure with all points added, of which there is at least one. */
    Figure figure(String note) {
        List<String> upwards = new ArrayList<>(rows);
        Collections.reverse(upwards);
        List<LegendItem> legend = new ArrayList<>();
        XIntervalSeriesCollection points = new XIntervalSeriesCollection();
        XYErrorRenderer renderer = renderer();
        byModel.forEach((model, effects) -> {
            int number = legend.size();
            Style style = Style.line(number);
            legend.add(style.pointItem(model));
            points.addSeries(series(model, effects, upwards, offset(number)));
            renderer.setSeriesPaint(number, style.colour());
            renderer.setSeriesShape(number, style.marker());
        });
        NumberAxis names = HeatMap.names(upwards);
        XYPlot plot = Axes.plot(axis(), names);
        plot.setDataset(points);
        plot.setRenderer(renderer);
        plot.setDomainGridlinesVisible(true);
        plot.setDomainGridlinePaint(Style.GRID);
        plot.setDomainGridlineStroke(Style.HAIR);
        plot.addDomainMarker(new ValueMarker(0, Style.FAINT, new BasicStroke(1)), Layer.BACKGROUND);
        double height = Math.max(ROW + 6, ROW * byModel.size()) * rows.size();
        int longest = rows.stream().mapToInt(String::length).max().orElse(0);
        double left = Math.max(LEAST_LEFT, Y_TITLE + LETTER * longest);
        return new Figure(
                name,
                title,
                legend,
                List.of(new Panel("", "", List.of(), plot)),
                1,
                height,
                xTitle,
                "",
                null,
                note,
                left);
    }

    /** Models of a row spread over four fifths of it. */
    private double offset(int model) {
        int models = byModel.size();
        double step = Math.min(0.8 / models, 2 * CHANGE);
        return step * ((models - 1) / 2.0 - model);
    }

    private static XIntervalSeries series(
            String model, Map<String, Effect> effects, List<String> upwards, double offset) {
        XIntervalSeries series = new XIntervalSeries(model);
        effects.forEach((row, effect) -> {
            Interval reach =
                    effect.interval() == null ? new Interval(effect.value(), effect.value()) : effect.interval();
            series.add(effect.value(), reach.low(), reach.high(), upwards.indexOf(row) + offset);
        });
        return series;
    }

    private static XYErrorRenderer renderer() {
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setDrawYError(false);
        renderer.setErrorStroke(new BasicStroke(1.2f));
        renderer.setCapLength(4);
        return renderer;
    }

    /** Holds 0 and all intervals. */
    private NumberAxis axis() {
        double low = 0;
        double high = 0;
        for (Map<String, Effect> effects : byModel.values()) {
            for (Effect effect : effects.values()) {
                Interval interval = effect.interval();
                low = Math.min(low, interval == null ? effect.value() : interval.low());
                high = Math.max(high, interval == null ? effect.value() : interval.high());
            }
        }
        double span = high > low ? high - low : 1;
        double end = Axes.roundUp(high > low ? high : 1, span);
        return Axes.numbers(Axes.roundDown(low, span), end);
    }
}
