package io.posbias.plot;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.block.ColumnArrangement;
import org.jfree.chart.block.FlowArrangement;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.PaintScaleLegend;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.title.Title;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.VerticalAlignment;
import org.jspecify.annotations.Nullable;

/**
 * A picture: title, legend, a grid of panels that share their axes' titles, a scale of colours, a note. Lengths are in
 * units of which 96 are an inch on screen; printed over the two columns of a page (7 inches) the smallest letters have
 * 7.5 points.
 *
 * @param name of its files, without the ending
 * @param title of the whole
 * @param legend of all panels; may be empty
 * @param panels from left to right and from top to bottom
 * @param columns how many panels are beside each other at most
 * @param panelHeight height of a panel's plot, without title and ticks
 * @param xTitle of the x axes
 * @param yTitle of the y axes
 * @param scale of colours; null when the figure has none
 * @param note below all; may be empty
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
        @Nullable Viridis scale,
        String note) {

    /** Width of every figure. */
    public static final int WIDTH = 720;

    private static final double MARGIN = 10;
    private static final double LEFT = 56;
    /** What the y axes' title and ticks take of the left margin. */
    private static final double BESIDE_NAMES = 28;

    private static final double MOST_LEFT = WIDTH / 3.0;
    private static final double RIGHT = 20;
    private static final double GAP = 26;
    private static final double ROW_GAP = 8;
    private static final double TICKS = 20;
    private static final float LEAST_SIZE = 10.5f;
    private static final double LINE = 15;
    private static final double SCALE = 34;
    private static final double SCALE_WIDTH = 320;

    public Figure {
        legend = List.copyOf(legend);
        panels = List.copyOf(panels);
    }

    /** Columns for a number of panels: few are large, many stay readable. */
    public static int columnsFor(int panels) {
        return panels <= 3 ? panels : panels == 4 ? 2 : panels <= 12 ? 3 : 4;
    }

    /** A height of panels that goes with a number of columns. */
    public static double heightFor(int columns) {
        return columns == 1 ? 260 : columns == 2 ? 170 : columns == 3 ? 130 : 100;
    }

    /** The size of the picture, the same on every surface. */
    public Dimension size() {
        Graphics2D scratch = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            prepare(scratch);
            return new Dimension(WIDTH, (int) Math.ceil(new Layout(scratch).flow(false)));
        } finally {
            scratch.dispose();
        }
    }

    /** Draws the picture from the origin on. */
    void draw(Graphics2D g2) {
        prepare(g2);
        g2.setColor(Color.WHITE);
        g2.fill(new Rectangle2D.Double(0, 0, WIDTH, size().height));
        new Layout(g2).flow(true);
    }

    private static void prepare(Graphics2D g2) {
        g2.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g2.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g2.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        g2.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    }

    private static Title text(String text, Font font, Color colour) {
        TextTitle title = new TextTitle(text, font);
        title.setPaint(colour);
        title.setPadding(RectangleInsets.ZERO_INSETS);
        title.setHorizontalAlignment(HorizontalAlignment.LEFT);
        title.setTextAlignment(HorizontalAlignment.LEFT);
        return title;
    }

    private static Title legend(List<LegendItem> items) {
        LegendItemCollection collection = new LegendItemCollection();
        items.forEach(collection::add);
        LegendTitle legend = new LegendTitle(
                () -> collection,
                new FlowArrangement(HorizontalAlignment.LEFT, VerticalAlignment.CENTER, 12, 0),
                new ColumnArrangement());
        legend.setFrame(BlockBorder.NONE);
        legend.setItemFont(Style.SMALL);
        legend.setItemPaint(Style.INK);
        legend.setBackgroundPaint(null);
        return legend;
    }

    /** Where everything is on one surface. */
    private final class Layout {
        private final Graphics2D g2;
        private final double left;
        private final double columnWidth;

        Layout(Graphics2D g2) {
            this.g2 = g2;
            this.left = left();
            this.columnWidth = (WIDTH - left - RIGHT - (columns - 1) * GAP) / columns;
        }

        /** The margin that numbers need, or more where rows have long names. */
        private double left() {
            g2.setFont(Style.SMALL);
            double longest = panels.stream()
                    .map(panel -> panel.plot().getRangeAxis())
                    .filter(SymbolAxis.class::isInstance)
                    .flatMap(axis -> Arrays.stream(((SymbolAxis) axis).getSymbols()))
                    .mapToDouble(this::width)
                    .max()
                    .orElse(0);
            return Math.clamp(longest + BESIDE_NAMES, LEFT, MOST_LEFT);
        }

        /** Goes from top to bottom, and draws what it passes if it should; returns where the bottom is. */
        double flow(boolean drawing) {
            double y = MARGIN + block(text(title, Style.TITLE, Style.INK), MARGIN, MARGIN, WIDTH - 2 * MARGIN, drawing);
            if (!legend.isEmpty()) {
                y += 4 + block(legend(legend), left, y + 4, WIDTH - left - RIGHT, drawing);
            }
            double top = y + 6;
            y = grid(top, drawing);
            if (drawing) {
                centred(xTitle, left + (WIDTH - left - RIGHT) / 2, y + LINE - 2);
                upwards(yTitle, MARGIN + 8, (top + headHeight() + y - TICKS) / 2);
            }
            y += LINE + 6;
            if (scale != null) {
                if (drawing) {
                    scale(scale, y);
                }
                y += SCALE;
            }
            if (!note.isEmpty()) {
                y += block(text(note, Style.SMALL, Style.FAINT), MARGIN, y, WIDTH - 2 * MARGIN, drawing);
            }
            return y + MARGIN;
        }

        private double block(Title block, double x, double y, double width, boolean drawing) {
            double height = block.arrange(g2, RectangleConstraint.NONE.toFixedWidth(width)).height;
            if (drawing) {
                block.draw(g2, new Rectangle2D.Double(x, y, width, height));
            }
            return height;
        }

        /** What is above each plot: as much room for all, so that plots line up. */
        private double headHeight() {
            return panels.stream()
                    .mapToDouble(panel -> head(panel, 0, 0, false))
                    .max()
                    .orElse(0);
        }

        private double head(Panel panel, double x, double y, boolean drawing) {
            double height = 0;
            if (!panel.title().isEmpty()) {
                height += LINE;
                line(panel.title(), Style.PANEL, Style.INK, x, y + height - 3, drawing);
            }
            if (!panel.subtitle().isEmpty()) {
                height += LINE - 1;
                line(panel.subtitle(), Style.SMALL, Style.FAINT, x, y + height - 3, drawing);
            }
            if (!panel.legend().isEmpty()) {
                height += block(legend(panel.legend()), x, y + height, columnWidth, drawing);
            }
            return height + 3;
        }

        private void line(String text, Font font, Color colour, double x, double y, boolean drawing) {
            if (drawing) {
                g2.setFont(font);
                g2.setColor(colour);
                shrink(text);
                g2.drawString(fitted(text), (float) x, (float) y);
            }
        }

        /** Makes the letters of a text that is too wide a little smaller. */
        private void shrink(String text) {
            for (float size = g2.getFont().getSize2D(); size > LEAST_SIZE && width(text) > headWidth(); ) {
                size -= 0.5f;
                g2.setFont(g2.getFont().deriveFont(size));
            }
        }

        /** A text cut in its middle until it fits above its panel: names differ at both ends. */
        private String fitted(String text) {
            int[] points = text.codePoints().toArray();
            String fitted = text;
            for (int kept = points.length - 1; kept > 2 && width(fitted) > headWidth(); kept--) {
                int head = (kept + 1) / 2;
                int tail = kept - head;
                fitted = new String(points, 0, head) + "\u2026" + new String(points, points.length - tail, tail);
            }
            return fitted;
        }

        /** A panel's title may reach into the gap beside the panel. */
        private double headWidth() {
            return columnWidth + (columns == 1 ? 0 : GAP - 6);
        }

        private double width(String text) {
            return g2.getFontMetrics().getStringBounds(text, g2).getWidth();
        }

        private double grid(double top, boolean drawing) {
            double head = headHeight();
            double y = top;
            for (int start = 0; start < panels.size(); start += columns) {
                for (int i = start; drawing && i < Math.min(start + columns, panels.size()); i++) {
                    double x = left + (i - start) * (columnWidth + GAP);
                    // Short heads are on their plots, as tall ones do.
                    head(panels.get(i), x, y + head - head(panels.get(i), 0, 0, false), true);
                    plot(i, new Rectangle2D.Double(x, y + head, columnWidth, panelHeight));
                }
                y += head + panelHeight + ROW_GAP;
            }
            return y - ROW_GAP + TICKS;
        }

        /** Ticks are labelled at the left of each row and where nothing is below. */
        private void plot(int number, Rectangle2D area) {
            XYPlot plot = panels.get(number).plot();
            plot.getRangeAxis().setTickLabelsVisible(number % columns == 0);
            plot.getDomainAxis().setTickLabelsVisible(number + columns >= panels.size());
            plot.draw(g2, area, null, null, null);
        }

        private void centred(String text, double x, double y) {
            g2.setFont(Style.TEXT);
            g2.setColor(Style.INK);
            g2.drawString(text, (float) (x - width(text) / 2), (float) y);
        }

        private void upwards(String text, double x, double y) {
            AffineTransform before = g2.getTransform();
            g2.translate(x, y);
            g2.rotate(-Math.PI / 2);
            centred(text, 0, 0);
            g2.setTransform(before);
        }

        private void scale(Viridis colours, double y) {
            PaintScaleLegend bar = new PaintScaleLegend(colours, Axes.numbers(colours.low(), colours.high()));
            bar.setPosition(RectangleEdge.BOTTOM);
            bar.setAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
            bar.setStripWidth(10);
            bar.setStripOutlineVisible(false);
            bar.setBackgroundPaint(Color.WHITE);
            bar.setSubdivisionCount(64);
            bar.draw(
                    g2, new Rectangle2D.Double(left + (WIDTH - left - RIGHT - SCALE_WIDTH) / 2, y, SCALE_WIDTH, SCALE));
        }
    }
}
