package io.posbias.base.plot;

import io.posbias.base.process.UsageException;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import org.jfree.chart.LegendItem;
import org.jspecify.annotations.Nullable;

/**
 * A figure: title, legend, a grid of panels with common axis titles, colour scale, note. Lengths are in units of 1/96
 * inch; at a width of 7 inches (two columns of a page) the smallest letters have 7.5 points.
 *
 * @param name of files, without extension
 * @param legend may be empty
 * @param panelHeight of a plot, without title and ticks
 * @param scale null for none
 * @param note may be empty
 */
public record Figure(
        String name,
        String title,
        List<LegendItem> legend,
        List<Panel> panels,
        int columns,
        double panelHeight,
        String xTitle,
        String yTitle,
        @Nullable ColourScale scale,
        String note) {

    /** Default width, in units. */
    public static final int WIDTH = 720;

    /** Units of an inch on screen and in PDF. */
    public static final int UNITS_PER_INCH = 96;

    public Figure {
        legend = List.copyOf(legend);
        panels = List.copyOf(panels);
    }

    public Figure with(List<LegendItem> items) {
        return new Figure(name, title, items, panels, columns, panelHeight, xTitle, yTitle, scale, note);
    }

    /** Returns the number of columns: few panels are large, many stay readable. */
    public static int columnsFor(int panels) {
        return panels <= 3 ? panels : panels == 4 ? 2 : panels <= 12 ? 3 : 4;
    }

    /** Returns the height of panels for a number of columns. */
    public static double heightFor(int columns) {
        return columns == 1 ? 260 : columns == 2 ? 170 : columns == 3 ? 130 : 100;
    }

    /**
     * Size of a figure.
     *
     * @param width in units
     * @param height in units; null for the height needed
     * @param titled false to leave out title and note, for a paper's caption
     */
    public record Frame(int width, @Nullable Integer height, boolean titled) {
        /** Two columns of a page. */
        public static final Frame USUAL = new Frame(WIDTH, null, true);
    }

    /**
     * Returns the size in units.
     *
     * @throws UsageException if the figure does not fit the frame
     */
    public Dimension size(Frame frame) {
        Graphics2D scratch = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            FigureLayout.prepare(scratch);
            FigureLayout layout = new FigureLayout(this, scratch, frame);
            Integer height = frame.height();
            return new Dimension(frame.width(), height == null ? (int) Math.ceil(layout.flow(false)) : height);
        } finally {
            scratch.dispose();
        }
    }

    void draw(Graphics2D g2, Frame frame) {
        FigureLayout.prepare(g2);
        g2.setColor(Color.WHITE);
        g2.fill(new Rectangle2D.Double(0, 0, frame.width(), size(frame).height));
        new FigureLayout(this, g2, frame).flow(true);
    }
}
