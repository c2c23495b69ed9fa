package io.posbias.plot;

import io.posbias.UsageException;
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
import java.util.Locale;
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

    /** Width of a figure that is not drawn to a size, in units. */
    public static final int WIDTH = 720;

    /** The least width of a panel's plot in a figure narrower than {@link #WIDTH}: fewer are beside each other then. */
    private static final double LEAST_PANEL = 110;

    private static final double LEAST_HEIGHT = 40;

    /** Units of an inch on screen and in PDF. */
    public static final int UNITS_PER_INCH = 96;

    private static final double MARGIN = 10;
    private static final double LEFT = 56;
    /** What the y axes' title and ticks take of the left margin. */
    private static final double BESIDE_NAMES = 28;

    /** The share of the width that the left margin takes at most. */
    private static final double MOST_LEFT = 1 / 3.0;

    private static final double RIGHT = 20;
    private static final double GAP = 26;
    private static final double ROW_GAP = 8;
    private static final double TICKS = 20;
    /** Characters of a name that are left, however narrow its panel. */
    private static final int LEAST_KEPT = 3;

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

    /**
     * How a figure is drawn.
     *
     * @param width in units
     * @param height in units; null for the height that the figure needs
     * @param titled whether title and note are part of it, which a paper says in its caption
     */
    public record Frame(int width, @Nullable Integer height, boolean titled) {
        /** As wide as two columns of a page. */
        public static final Frame USUAL = new Frame(WIDTH, null, true);
    }

    /**
     * The size of the picture, the same on every surface.
     *
     * @throws UsageException if it does not fit into the frame
     */
    public Dimension size(Frame frame) {
        Graphics2D scratch = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
        try {
            prepare(scratch);
            Layout layout = new Layout(scratch, frame);
            Integer height = frame.height();
            return new Dimension(frame.width(), height == null ? (int) Math.ceil(layout.flow(false)) : height);
        } finally {
            scratch.dispose();
        }
    }

    /** Draws the picture from the origin on. */
    void draw(Graphics2D g2, Frame frame) {
        prepare(g2);
        g2.setColor(Color.WHITE);
        g2.fill(new Rectangle2D.Double(0, 0, frame.width(), size(frame).height));
        new Layout(g2, frame).flow(true);
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
        private final Frame frame;
        private final double left;
        private final int beside;
        private final double columnWidth;
        private final double plotHeight;

        Layout(Graphics2D g2, Frame frame) {
            this.g2 = g2;
            this.frame = frame;
            this.left = left();
            this.beside = beside();
            this.columnWidth = (room() - (beside - 1) * GAP) / beside;
            this.plotHeight = plotHeight();
        }

        /** What the plots share of the width. */
        private double room() {
            return frame.width() - left - RIGHT;
        }

        /** How many panels are beside each other: fewer where a narrow figure would squeeze them. */
        private int beside() {
            int fitting = (int) ((room() + GAP) / (LEAST_PANEL + GAP));
            return frame.width() >= WIDTH ? columns : Math.clamp(fitting, 1, columns);
        }

        private double plotHeight() {
            Integer height = frame.height();
            if (height == null) {
                return panelHeight;
            }
            int rows = Math.ceilDiv(panels.size(), beside);
            double rest = flow(0, false);
            if (height - rest < rows * LEAST_HEIGHT) {
                throw new UsageException(String.format(
                        Locale.ROOT,
                        "%s does not fit: at this width it needs a height of %.1f inches or more",
                        name,
                        (rest + rows * LEAST_HEIGHT) / UNITS_PER_INCH));
            }
            return (height - rest) / rows;
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
            return Math.clamp(longest + BESIDE_NAMES, LEFT, Math.max(LEFT, MOST_LEFT * frame.width()));
        }

        /** Goes from top to bottom, and draws what it passes if it should; returns where the bottom is. */
        double flow(boolean drawing) {
            return flow(plotHeight, drawing);
        }

        private double flow(double plotHeight, boolean drawing) {
            double y = MARGIN;
            if (frame.titled()) {
                y += block(text(title, Style.TITLE, Style.INK), MARGIN, MARGIN, frame.width() - 2 * MARGIN, drawing);
            }
            if (!legend.isEmpty()) {
                y += 4 + block(legend(legend), left, y + 4, room(), drawing);
            }
            double top = y + 6;
            y = grid(top, plotHeight, drawing);
            if (drawing) {
                centred(xTitle, left + room() / 2, y + LINE - 2);
                upwards(yTitle, MARGIN + 8, (top + headHeight() + y - TICKS) / 2);
            }
            y += LINE + 6;
            if (scale != null) {
                if (drawing) {
                    scale(scale, y);
                }
                y += SCALE;
            }
            if (frame.titled() && !note.isEmpty()) {
                y += block(text(note, Style.SMALL, Style.FAINT), MARGIN, y, frame.width() - 2 * MARGIN, drawing);
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

        /** A text cut in its middle so that it fits above its panel: names differ at both ends. */
        private String fitted(String text) {
            if (width(text) <= headWidth()) {
                return text;
            }
            int[] points = text.codePoints().toArray();
            int fits = Math.min(LEAST_KEPT, points.length);
            int tooWide = points.length;
            while (tooWide - fits > 1) {
                int kept = (fits + tooWide) >>> 1;
                if (width(cut(points, kept)) <= headWidth()) {
                    fits = kept;
                } else {
                    tooWide = kept;
                }
            }
            return fits == points.length ? text : cut(points, fits);
        }

        private static String cut(int[] points, int kept) {
            int head = (kept + 1) / 2;
            int tail = kept - head;
            return new String(points, 0, head) + "\u2026" + new String(points, points.length - tail, tail);
        }

        /** A panel's title may reach into the gap beside the panel. */
        private double headWidth() {
            return columnWidth + (beside == 1 ? 0 : GAP - 6);
        }

        private double width(String text) {
            return g2.getFontMetrics().getStringBounds(text, g2).getWidth();
        }

        private double grid(double top, double plotHeight, boolean drawing) {
            double head = headHeight();
            double y = top;
            for (int start = 0; start < panels.size(); start += beside) {
                for (int i = start; drawing && i < Math.min(start + beside, panels.size()); i++) {
                    double x = left + (i - start) * (columnWidth + GAP);
                    // Short heads are on their plots, as tall ones do.
                    head(panels.get(i), x, y + head - head(panels.get(i), 0, 0, false), true);
                    plot(i, new Rectangle2D.Double(x, y + head, columnWidth, plotHeight));
                }
                y += head + plotHeight + ROW_GAP;
            }
            return y - ROW_GAP + TICKS;
        }

        /** Ticks are labelled at the left of each row and where nothing is below. */
        private void plot(int number, Rectangle2D area) {
            XYPlot plot = panels.get(number).plot();
            plot.getRangeAxis().setTickLabelsVisible(number % beside == 0);
            plot.getDomainAxis().setTickLabelsVisible(number + beside >= panels.size());
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
            double width = Math.min(SCALE_WIDTH, room());
            bar.draw(g2, new Rectangle2D.Double(left + (room() - width) / 2, y, width, SCALE));
        }
    }
}
