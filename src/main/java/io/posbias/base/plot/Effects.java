package io.posbias.base.plot;

import io.posbias.base.stats.Interval;
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

/** Forest plot: effects with intervals as points on rows, several models per row, with a line at 0. */
public final class Effects {
    private static final double ROW = 14;
    private static final double CHANGE = 0.16;

    private final String name;
    private final String title;
    private final String xTitle;
    private final Map<String, Map<String, Effect>> byModel = new LinkedHashMap<>();
    private final Set<String> rows = new LinkedHashSet<>();

    /**
     * Effect of a model in a row.
     *
     * @param interval null if unknown
     */
    public record Effect(double value, @Nullable Interval interval) {
        Interval reach() {
            return interval == null ? new Interval(value, value) : interval;
        }
    }

    /** @param xTitle the effect with its unit */
    public Effects(String name, String title, String xTitle) {
        this.name = name;
        this.title = title;
        this.xTitle = xTitle;
    }

    /** Adds a point; rows are ordered by first occurrence, from the top. */
    public void add(String model, String row, double value, @Nullable Interval interval) {
        rows.add(row);
        byModel.computeIfAbsent(model, unseen -> new LinkedHashMap<>()).put(row, new Effect(value, interval));
    }

    /** Returns the figure; empty without points. */
    public List<Figure> figures(String note) {
        return rows.isEmpty() ? List.of() : List.of(figure(note));
    }

    private Figure figure(String note) {
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
        NumberAxis names = Axes.names(upwards);
        XYPlot plot = Axes.plot(
                Axes.around(byModel.values().stream()
                        .flatMap(effects -> effects.values().stream())
                        .map(Effect::reach)),
                names);
        plot.setDataset(points);
        plot.setRenderer(renderer);
        Axes.drawAcross(plot);
        plot.addDomainMarker(new ValueMarker(0, Style.FAINT, new BasicStroke(1)), Layer.BACKGROUND);
        double height = Math.max(ROW + 6, ROW * byModel.size()) * rows.size();
        return new Figure(name, title, legend, List.of(new Panel("", "", plot)), 1, height, xTitle, "", null, note);
    }

    private double offset(int model) {
        int models = byModel.size();
        double step = Math.min(0.8 / models, 2 * CHANGE);
        return step * ((models - 1) / 2.0 - model);
    }

    private static XIntervalSeries series(
            String model, Map<String, Effect> effects, List<String> upwards, double offset) {
        XIntervalSeries series = new XIntervalSeries(model);
        effects.forEach((row, effect) -> {
            Interval reach = effect.reach();
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
}
