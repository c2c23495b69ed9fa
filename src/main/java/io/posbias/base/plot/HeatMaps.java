package io.posbias.base.plot;

import io.posbias.base.text.Printable;
import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBlockRenderer;
import org.jfree.data.xy.DefaultXYZDataset;
import org.jspecify.annotations.Nullable;

/** Heat maps with a text in each cell. The maps of a figure have the same rows, columns and colours. */
public final class HeatMaps {
    public static final String EMPTY = "-";

    private static final int MOST_COLUMNS = 3;

    private static final double ROW = 24;

    private final XYPlot plot;
    private final ColourScale colours;
    private final List<double[]> cells = new ArrayList<>();

    HeatMaps(ValueAxis columns, List<String> rows, ColourScale colours) {
        this.plot = Axes.plot(columns, Axes.names(rows));
        this.colours = colours;
        plot.setRangeGridlinesVisible(false);
    }

    void add(HeatCell cell, int row) {
        Double number = cell.number();
        if (number == null) {
            write(EMPTY, cell.x(), row, Style.FAINT);
            return;
        }
        cells.add(new double[] {cell.x(), row, number});
        if (cell.hatched() > 0) {
            plot.addAnnotation(new Hatch(cell.x(), row, cell.hatched(), colours.ink(number)));
        }
        if (!cell.text().isEmpty()) {
            write(cell.text(), cell.x(), row, colours.ink(number))
                    .setBackgroundPaint(cell.hatched() > 0 ? colours.getPaint(number) : null);
        }
    }

    private XYTextAnnotation write(String text, double x, double y, Color ink) {
        XYTextAnnotation annotation = new XYTextAnnotation(Printable.of(text), x, y);
        annotation.setFont(Style.SMALL);
        annotation.setPaint(ink);
        plot.addAnnotation(annotation);
        return annotation;
    }

    XYPlot plot() {
        DefaultXYZDataset dataset = new DefaultXYZDataset();
        double[][] columns = new double[3][];
        Arrays.setAll(columns, i -> cells.stream().mapToDouble(cell -> cell[i]).toArray());
        dataset.addSeries("cells", columns);
        plot.setDataset(dataset);
        plot.setRenderer(renderer());
        return plot;
    }

    private XYBlockRenderer renderer() {
        XYBlockRenderer renderer = new XYBlockRenderer();
        renderer.setPaintScale(colours);
        renderer.setBlockWidth(1);
        renderer.setBlockHeight(1);
        renderer.setDefaultShape(new Rectangle2D.Double());
        return renderer;
    }

    /**
     * A cell.
     *
     * @param number null for an empty cell
     * @param text shown in it; may be empty
     * @param hatched share of the cell that is hatched, from the right
     */
    public record HeatCell(double x, @Nullable Double number, String text, double hatched) {}

    /** A row of a map. */
    public record Line(String map, String subtitle, String row, List<HeatCell> cells) {
        /**
         * Makes a row with cells in columns 0, 1, 2, ...
         *
         * @param numbers null for an empty cell
         */
        public static Line of(String map, String subtitle, String row, List<@Nullable Double> numbers, String format) {
            return new Line(
                    map,
                    subtitle,
                    row,
                    IntStream.range(0, numbers.size())
                            .mapToObj(column -> {
                                Double number = numbers.get(column);
                                return new HeatCell(
                                        column,
                                        number,
                                        number == null ? "" : String.format(Locale.ROOT, format, number),
                                        0);
                            })
                            .toList());
        }
    }

    /**
     * Makes a figure with named columns. Maps are ordered by their first lines, rows from the top; a repeated row
     * begins another map.
     *
     * @param leastSpan minimum span of the colours, so that noise does not use all of them
     */
    public static Figure figure(
            String name,
            String title,
            List<Line> lines,
            List<String> columns,
            double leastSpan,
            String xTitle,
            String yTitle,
            String note) {
        int maps = (int) lines.stream().map(Line::map).distinct().count();
        return figure(
                name,
                title,
                lines,
                () -> Axes.names(columns),
                Math.min(MOST_COLUMNS, Figure.columnsFor(maps)),
                ColourScale.of(numbers(lines), leastSpan, Double.POSITIVE_INFINITY),
                xTitle,
                yTitle,
                note);
    }

    public static Figure figure(
            String name,
            String title,
            List<Line> lines,
            Supplier<ValueAxis> x,
            int beside,
            ColourScale colours,
            String xTitle,
            String yTitle,
            String note) {
        List<String> rows =
                new ArrayList<>(lines.stream().map(Line::row).distinct().toList());
        Collections.reverse(rows);
        Map<List<Object>, HeatMaps> maps = new LinkedHashMap<>();
        List<HeatMaps> byLine = new ArrayList<>();
        Map<HeatMaps, Line> heads = new LinkedHashMap<>();
        for (Line line : lines) {
            long before = lines.subList(0, byLine.size()).stream()
                    .filter(other ->
                            other.map().equals(line.map()) && other.row().equals(line.row()))
                    .count();
            HeatMaps map =
                    maps.computeIfAbsent(List.of(line.map(), before), unseen -> new HeatMaps(x.get(), rows, colours));
            heads.putIfAbsent(map, line);
            byLine.add(map);
        }
        for (int i = lines.size() - 1; i >= 0; i--) {
            for (HeatCell cell : lines.get(i).cells()) {
                byLine.get(i).add(cell, rows.indexOf(lines.get(i).row()));
            }
        }
        List<Panel> panels = new ArrayList<>();
        heads.forEach((map, line) -> panels.add(new Panel(line.map(), line.subtitle(), map.plot())));
        return new Figure(name, title, List.of(), panels, beside, ROW * rows.size(), xTitle, yTitle, colours, note);
    }

    /** Numbers of all cells that have one. */
    public static DoubleStream numbers(List<Line> lines) {
        return lines.stream()
                .flatMap(line -> line.cells().stream())
                .map(HeatCell::number)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue);
    }
}
