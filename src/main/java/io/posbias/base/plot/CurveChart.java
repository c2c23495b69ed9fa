package io.posbias.base.plot;

import io.posbias.base.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jfree.chart.LegendItem;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.Range;

/** Figures of lines with bands. */
public final class CurveChart {
    private static final double HEIGHT = 230;
    private static final double OWN_HEIGHT = 150;

    private CurveChart() {}

    /**
     * Makes one plot with a line with markers per model.
     *
     * @param lines by model, at x = 1, 2, 3, ...
     */
    public static Figure lines(
            String name,
            String title,
            Map<String, List<Curves.Point>> lines,
            String xTitle,
            String yTitle,
            String note) {
        Curves curves = new Curves();
        List<LegendItem> legend = new ArrayList<>();
        lines.forEach((model, points) -> {
            Style style = Style.line(legend.size());
            curves.add(points, style);
            legend.add(style.lineItem(model));
        });
        List<Curves.Point> all = lines.values().stream().flatMap(List::stream).toList();
        double most = all.stream().mapToDouble(Curves.Point::x).max().orElse(1);
        // A gap is not drawn and has no height.
        Range range = Axes.around(
                        all.stream().filter(point -> point.y() != null).map(Curves.Point::reach))
                .getRange();
        NumberAxis y = Axes.roomy(range.getLowerBound(), range.getUpperBound());
        Panel panel = new Panel("", "", curves.plot(Axes.numbers(0.5, most + 0.5), y));
        return new Figure(name, title, legend, List.of(panel), 1, HEIGHT, xTitle, yTitle, null, note);
    }

    /**
     * A line without markers in one or two bands.
     *
     * @param title in the legend of several lines
     * @param outer points of {@code inner} with the wider band; empty for one band
     */
    public record Banded(String title, String subtitle, List<Curves.Point> outer, List<Curves.Point> inner) {
        public Banded {
            outer = List.copyOf(outer);
            inner = List.copyOf(inner);
        }
    }

    /**
     * Makes a panel per group of lines. Lines with equal titles have equal styles.
     *
     * @param groups by panel title, each with at least one line
     * @param shared true for a common y axis, with panels side by side
     */
    public static Figure panels(
            String name,
            String title,
            Map<String, List<Banded>> groups,
            Interval x,
            boolean shared,
            String xTitle,
            String yTitle,
            String note) {
        Map<String, Style> styles = new LinkedHashMap<>();
        List<Banded> all = groups.values().stream().flatMap(List::stream).toList();
        all.forEach(line -> styles.computeIfAbsent(line.title(), unknown -> Style.line(styles.size())));
        List<Panel> panels = new ArrayList<>();
        groups.forEach((panel, lines) -> panels.add(panel(panel, lines, styles, x, shared ? all : lines)));
        // Ticks are labelled at the left of each row: axes of different units are below each other.
        int columns = shared ? Figure.columnsFor(panels.size()) : 1;
        return new Figure(
                name,
                title,
                legend(styles),
                panels,
                columns,
                shared || panels.size() == 1 ? Figure.heightFor(columns) : OWN_HEIGHT,
                xTitle,
                yTitle,
                null,
                note);
    }

    private static List<LegendItem> legend(Map<String, Style> styles) {
        return styles.size() == 1
                ? List.of()
                : styles.entrySet().stream()
                        .map(style -> style.getValue().bareItem(style.getKey()))
                        .toList();
    }

    private static Panel panel(
            String title, List<Banded> lines, Map<String, Style> styles, Interval x, List<Banded> reaching) {
        Curves curves = new Curves();
        for (Banded line : lines) {
            Style style = Objects.requireNonNull(styles.get(line.title()));
            curves.addBare(line.outer(), style);
            curves.addBare(line.inner(), style);
        }
        NumberAxis y = Axes.around(reaching.stream()
                .flatMap(line -> Stream.concat(line.outer().stream(), line.inner().stream()))
                .map(Curves.Point::reach));
        XYPlot plot = curves.plot(Axes.numbers(x.low(), x.high()), y);
        return new Panel(title, lines.getFirst().subtitle(), plot);
    }
}
