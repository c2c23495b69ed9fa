package io.posbias.base.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.io.Serial;
import org.jfree.chart.LegendItem;
import org.jfree.chart.annotations.AbstractXYAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;

/** Diagonal lines over the right part of a cell of a heat map. */
public final class Hatch extends AbstractXYAnnotation {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final double STEP = 6;
    private static final double SAMPLE = 10;

    private final double x;
    private final double y;
    private final double share;
    private final Color ink;

    /**
     * @param x centre of the cell, which is 1 wide and 1 high
     * @param share of the cell's width
     */
    Hatch(double x, double y, double share, Color ink) {
        this.x = x;
        this.y = y;
        this.share = share;
        this.ink = ink;
    }

    /** Makes the legend of hatched cells. */
    public static LegendItem item(String label) {
        Rectangle2D sample = new Rectangle2D.Double(-SAMPLE / 2, -SAMPLE / 2, SAMPLE, SAMPLE);
        Path2D shape = lines(sample);
        shape.append(sample, false);
        return new LegendItem(label, null, null, null, shape, Color.WHITE, Style.HAIR, Style.INK);
    }

    @Override
    public void draw(
            Graphics2D g2,
            XYPlot plot,
            Rectangle2D area,
            ValueAxis domain,
            ValueAxis range,
            int index,
            PlotRenderingInfo info) {
        double left = domain.valueToJava2D(x + 0.5 - share, area, RectangleEdge.BOTTOM);
        double right = domain.valueToJava2D(x + 0.5, area, RectangleEdge.BOTTOM);
        double top = range.valueToJava2D(y + 0.5, area, RectangleEdge.LEFT);
        double bottom = range.valueToJava2D(y - 0.5, area, RectangleEdge.LEFT);
        g2.setPaint(ink);
        g2.setStroke(Style.HAIR);
        g2.draw(lines(new Rectangle2D.Double(left, top, right - left, bottom - top)));
    }

    /** Lines from the lower left to the upper right, cut at the box: no clip, which each format would write. */
    private static Path2D lines(Rectangle2D box) {
        Path2D lines = new Path2D.Double();
        for (double sum = STEP / 2; sum < box.getWidth() + box.getHeight(); sum += STEP) {
            double low = Math.max(0, sum - box.getHeight());
            double high = Math.min(box.getWidth(), sum);
            Shape line = new Line2D.Double(
                    box.getX() + low, box.getY() + sum - low, box.getX() + high, box.getY() + sum - high);
            lines.append(line, false);
        }
        return lines;
    }
}
