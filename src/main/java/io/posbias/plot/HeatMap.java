package io.posbias.plot;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYBlockRenderer;
import org.jfree.data.xy.DefaultXYZDataset;

/** Numbers as coloured cells with their text in them; rows have names and are from bottom to top. */
final class HeatMap {
    /** The height of a row. */
    static final double ROW = 24;

    private final XYPlot plot;
    private final ColourScale colours;
    private final List<double[]> cells = new ArrayList<>();

    /**
     * A map without cells.
     *
     * @param columns the axis of columns, each 1 wide
     * @param rows the names of rows
     */
    HeatMap(ValueAxis columns, List<String> rows, ColourScale colours) {
        this.plot = Axes.plot(columns, names(rows));
        this.colours = colours;
        plot.setRangeGridlinesVisible(false);
    }

    /** An axis of names, at 0, 1, 2, and so on. */
    static NumberAxis names(List<String> names) {
        SymbolAxis axis = new SymbolAxis(null, names.toArray(String[]::new));
        Axes.dress(axis);
        axis.setGridBandsVisible(false);
        axis.setRange(-0.5, names.size() - 0.5);
        return axis;
    }

    /** Adds a cell to a row. */
    void add(HeatMaps.HeatCell cell, int row) {
        Double number = cell.number();
        if (number == null) {
            write(HeatMaps.EMPTY, cell.x(), row, Style.FAINT);
            return;
        }
        cells.add(new double[] {cell.x(), row, number});
        if (!cell.text().isEmpty()) {
            write(cell.text(), cell.x(), row, colours.ink(number));
        }
    }

    private void write(String text, double x, double y, Color ink) {
        XYTextAnnotation annotation = new XYTextAnnotation(text, x, y);
        annotation.setFont(Style.SMALL);
        annotation.setPaint(ink);
        plot.addAnnotation(annotation);
    }

    /** The plot with all cells added. */
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
}
