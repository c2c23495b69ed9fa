package io.posbias.base.plot;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.block.ColumnArrangement;
import org.jfree.chart.block.FlowArrangement;
import org.jfree.chart.block.RectangleConstraint;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.title.PaintScaleLegend;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.title.Title;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.VerticalAlignment;

final class FigureLayout {
    /** Minimum width of a plot in a figure narrower than {@link Figure#WIDTH}, which has fewer panels in a row. */
    private static final double LEAST_PANEL = 110;

    private static final double LEAST_HEIGHT = 40;

    private static final double MARGIN = 10;
    private static final double LEFT = 56;
    private static final double BESIDE_NAMES = 28;

    private static final double MOST_LEFT = 1 / 3.0;

    private static final double RIGHT = 20;
    private static final double GAP = 26;
    private static final double ROW_GAP = 8;
    private static final double TICKS = 20;
    private static final double BESIDE_TICKS = 6;

    private static final int LEAST_KEPT = 3;

    private static final float LEAST_SIZE = 10.5f;
    private static final double LINE = 15;
    private static final double SCALE = 34;
    private static final double SCALE_WIDTH = 320;

    private final Figure figure;
    private final Graphics2D g2;
    private final Figure.Frame frame;
    private final double left;
    private final int beside;
    private final double columnWidth;
    private final double plotHeight;

    FigureLayout(Figure figure, Graphics2D g2, Figure.Frame frame) {
        this.figure = figure;
        this.g2 = g2;
        this.frame = frame;
        this.left = left();
        this.beside = beside();
        this.columnWidth = (room() - (beside - 1) * GAP) / beside;
        this.plotHeight = plotHeight();
    }

    private double room() {
        return frame.width() - left - RIGHT;
    }

    /** Panels in a row: fewer if a narrow figure would squeeze them. */
    private int beside() {
        int fitting = (int) ((room() + GAP) / (LEAST_PANEL + GAP));
        return frame.width() >= Figure.WIDTH ? figure.columns() : Math.clamp(fitting, 1, figure.columns());
    }

    private double plotHeight() {
        Integer height = frame.height();
        if (height == null) {
            return figure.panelHeight();
        }
        int rows = Math.ceilDiv(figure.panels().size(), beside);
        double rest = flow(0, false);
        if (height - rest < rows * LEAST_HEIGHT) {
            throw new UsageException(String.format(
                    Locale.ROOT,
                    "%s does not fit: at this width it needs a height of %.1f inches or more",
                    figure.name(),
                    (rest + rows * LEAST_HEIGHT) / Figure.UNITS_PER_INCH));
        }
        return (height - rest) / rows;
    }

    private double left() {
        return Math.clamp(
                longestName(XYPlot::getRangeAxis) + BESIDE_NAMES, LEFT, Math.max(LEFT, MOST_LEFT * frame.width()));
    }

    double flow(boolean drawing) {
        return flow(plotHeight, drawing);
    }

    private double flow(double plotHeight, boolean drawing) {
        double y = MARGIN;
        if (frame.titled()) {
            y += block(
                    text(figure.title(), Style.TITLE, Style.INK), MARGIN, MARGIN, frame.width() - 2 * MARGIN, drawing);
        }
        if (!figure.legend().isEmpty()) {
            y += 4 + block(legend(figure.legend()), left, y + 4, room(), drawing);
        }
        double top = y + 6;
        y = grid(top, plotHeight, drawing);
        if (drawing) {
            centred(figure.xTitle(), left + room() / 2, y + LINE - 2);
            upwards(figure.yTitle(), MARGIN + 8, (top + headHeight(figure.panels()) + y - TICKS) / 2);
        }
        y += LINE + 6;
        ColourScale colours = figure.scale();
        if (colours != null) {
            if (drawing) {
                scale(colours, y);
            }
            y += SCALE;
        }
        if (frame.titled() && !figure.note().isEmpty()) {
            y += block(text(figure.note(), Style.SMALL, Style.FAINT), MARGIN, y, frame.width() - 2 * MARGIN, drawing);
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

    /** Height above each plot, equal for all so that plots line up. */
    private double headHeight(List<Panel> panels) {
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
        return height + 3;
    }

    private void line(String text, Font font, Color colour, double x, double y, boolean drawing) {
        if (drawing) {
            String shown = Printable.of(text);
            g2.setFont(font);
            g2.setColor(colour);
            shrink(shown);
            g2.drawString(fitted(shown), (float) x, (float) y);
        }
    }

    private void shrink(String text) {
        for (float size = g2.getFont().getSize2D(); size > LEAST_SIZE && width(text) > headWidth(); ) {
            size -= 0.5f;
            g2.setFont(g2.getFont().deriveFont(size));
        }
    }

    /** Cuts the middle out of a text wider than its panel: names differ at both ends. */
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

    private double headWidth() {
        return columnWidth + (beside == 1 ? 0 : GAP - 6);
    }

    private double width(String text) {
        return g2.getFontMetrics().getStringBounds(text, g2).getWidth();
    }

    private double grid(double top, double plotHeight, boolean drawing) {
        List<Panel> panels = figure.panels();
        double below = hasOwnNames() ? ticks() + ROW_GAP : ROW_GAP;
        double y = top;
        for (int start = 0; start < panels.size(); start += beside) {
            // Plots with names of their own below are apart anyway.
            double head =
                    headHeight(hasOwnNames() ? panels.subList(start, Math.min(start + beside, panels.size())) : panels);
            for (int i = start; drawing && i < Math.min(start + beside, panels.size()); i++) {
                double x = left + (i - start) * (columnWidth + GAP);
                // Short heads are on their plots, as tall ones do.
                head(panels.get(i), x, y + head - head(panels.get(i), 0, 0, false), true);
                plot(i, new Rectangle2D.Double(x, y + head, columnWidth, plotHeight));
            }
            y += head + plotHeight + below;
        }
        return hasOwnNames() ? y - ROW_GAP : y - ROW_GAP + TICKS;
    }

    private boolean hasOwnNames() {
        return figure.panels().stream()
                .anyMatch(panel -> panel.plot().getDomainAxis().isVerticalTickLabels());
    }

    private double ticks() {
        return BESIDE_TICKS + longestName(XYPlot::getDomainAxis);
    }

    private double longestName(Function<XYPlot, ValueAxis> axisOf) {
        g2.setFont(Style.SMALL);
        return figure.panels().stream()
                .map(panel -> axisOf.apply(panel.plot()))
                .filter(SymbolAxis.class::isInstance)
                .flatMap(axis -> Arrays.stream(((SymbolAxis) axis).getSymbols()))
                .mapToDouble(this::width)
                .max()
                .orElse(0);
    }

    private void plot(int number, Rectangle2D area) {
        List<Panel> panels = figure.panels();
        XYPlot plot = panels.get(number).plot();
        plot.getRangeAxis().setTickLabelsVisible(number % beside == 0);
        plot.getDomainAxis().setTickLabelsVisible(hasOwnNames() || number + beside >= panels.size());
        plot.draw(g2, area, null, null, null);
    }

    private void centred(String text, double x, double y) {
        g2.setFont(Style.TEXT);
        g2.setColor(Style.INK);
        String shown = Printable.of(text);
        g2.drawString(shown, (float) (x - width(shown) / 2), (float) y);
    }

    private void upwards(String text, double x, double y) {
        AffineTransform before = g2.getTransform();
        g2.translate(x, y);
        g2.rotate(-Math.PI / 2);
        centred(text, 0, 0);
        g2.setTransform(before);
    }

    private void scale(ColourScale colours, double y) {
        PaintScaleLegend bar =
                new PaintScaleLegend(colours, Axes.numbers(colours.getLowerBound(), colours.getUpperBound()));
        bar.setPosition(RectangleEdge.BOTTOM);
        bar.setAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        bar.setStripWidth(10);
        bar.setStripOutlineVisible(false);
        bar.setBackgroundPaint(Color.WHITE);
        bar.setSubdivisionCount(64);
        double width = Math.min(SCALE_WIDTH, room());
        bar.draw(g2, new Rectangle2D.Double(left + (room() - width) / 2, y, width, SCALE));
    }

    static void prepare(Graphics2D g2) {
        // Otherwise names that are written upwards are outlines, and not text in SVG.
        TextUtils.setUseDrawRotatedStringWorkaround(false);
        g2.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g2.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g2.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        g2.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    }

    private static Title text(String text, Font font, Color colour) {
        TextTitle title = new TextTitle(Printable.of(text), font);
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
}
