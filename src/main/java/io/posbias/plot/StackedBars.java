package io.posbias.plot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jfree.chart.LegendItem;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.data.xy.XYIntervalSeries;
import org.jfree.data.xy.XYIntervalSeriesCollection;

/** Counts as bars on rows, each bar in parts beside each other. */
public final class StackedBars {
    private static final double ROW = 24;
    private static final double HALF_BAR = 0.36;

    private final Map<String, Map<String, Long>> rows = new LinkedHashMap<>();
    private final Set<String> parts = new LinkedHashSet<>();

    /** Adds a part to a row's bar; rows and parts are in the order in which they come first, rows from top to bottom. */
    public void add(String row, String part, long count) {
        parts.add(part);
        rows.computeIfAbsent(row, unseen -> new LinkedHashMap<>()).put(part, count);
    }

    /** The figure; empty without bars. */
    public List<Figure> figures(String name, String title, String xTitle, String note) {
        if (rows.isEmpty()) {
            return List.of();
        }
        List<String> upwards = new ArrayList<>(rows.keySet());
        Collections.reverse(upwards);
        XYIntervalSeriesCollection bars = new XYIntervalSeriesCollection();
        XYBarRenderer renderer = Histograms.bars();
        renderer.setUseYInterval(true);
        List<LegendItem> legend = new ArrayList<>();
        for (String part : parts) {
            renderer.setSeriesPaint(legend.size(), Style.fill(legend.size()));
            legend.add(Style.fillItem(part, Style.fill(legend.size())));
            bars.addSeries(series(part, upwards));
        }
        double longest = Math.max(
                1, rows.values().stream().mapToLong(StackedBars::sum).max().orElse(1));
        XYPlot plot = Axes.plot(Axes.numbers(0, Axes.roundUp(longest, longest)), Axes.names(upwards));
        plot.setDataset(bars);
        plot.setRenderer(renderer);
        Axes.drawAcross(plot);
        Panel panel = new Panel("", "", List.of(), plot);
        return List.of(new Figure(name, title, legend, List.of(panel), 1, ROW * rows.size(), xTitle, "", null, note));
    }

    private static long sum(Map<String, Long> row) {
        return row.values().stream().mapToLong(Long::longValue).sum();
    }

    private XYIntervalSeries series(String part, List<String> upwards) {
        XYIntervalSeries series = new XYIntervalSeries(part);
        rows.forEach((row, counts) -> {
            double before = 0;
            for (String earlier : parts) {
                long count = counts.getOrDefault(earlier, 0L);
                if (earlier.equals(part) && count > 0) {
                    int y = upwards.indexOf(row);
                    series.add(before, before, before + count, y, y - HALF_BAR, y + HALF_BAR);
                }
                before += count;
            }
        });
        return series;
    }
}
