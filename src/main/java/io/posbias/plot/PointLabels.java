package io.posbias.plot;

import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import org.jfree.chart.annotations.AbstractXYAnnotation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleEdge;
import org.jspecify.annotations.Nullable;

/**
 * Labels beside their points. Each goes to the place around its point where it covers and crosses least of other labels and
 * points; one that had to go far is joined to its point by a line.
 */
public final class PointLabels extends AbstractXYAnnotation {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final double[] DISTANCES = {6, 14, 24, 36, 50, 66};
    private static final int DIRECTIONS = 16;
    /** How far a marker reaches. */
    private static final double MARKER = 5;
    /** A label from here on gets a line. */
    private static final double FAR = 14;

    /** What covering a mark or a label costs in units of distance, beside the surface covered. */
    private static final double COVERED = 20;
    /** What a line through a label or another line costs. */
    private static final double CROSSED = 40;

    private static final int ROUNDS = 4;

    private final Point[] points;

    /** Labels of points. */
    public PointLabels(List<Point> points) {
        this.points = points.toArray(Point[]::new);
    }

    /**
     * A point with its whiskers, in the plot's units.
     *
     * @param xLow where the whisker begins; {@code x} without one; the others likewise
     */
    public record Point(String label, double x, double xLow, double xHigh, double y, double yLow, double yHigh)
            implements Serializable {}

    /** A place for a label, with the line that joins it to its point; null where it needs none. */
    private record Place(Rectangle2D box, @Nullable Line2D line) {}

    @Override
    public void draw(
            Graphics2D g2,
            XYPlot plot,
            Rectangle2D area,
            ValueAxis domain,
            ValueAxis range,
            int rendererIndex,
            PlotRenderingInfo info) {
        g2.setFont(Style.SMALL);
        g2.setStroke(Style.HAIR);
        Place[] places = place(
                g2.getFontMetrics(),
                area,
                value -> domain.valueToJava2D(value, area, RectangleEdge.BOTTOM),
                value -> range.valueToJava2D(value, area, RectangleEdge.LEFT));
        for (int i = 0; i < points.length; i++) {
            Line2D line = places[i].line();
            if (line != null) {
                g2.setPaint(Style.FAINT);
                g2.draw(line);
            }
            g2.setPaint(Style.INK);
            Rectangle2D box = places[i].box();
            g2.drawString(points[i].label(), (float) box.getX(), (float) (box.getMaxY() - 2));
        }
    }

    /** Places all labels, then each anew among the others, for early ones could not know of later ones. */
    private Place[] place(FontMetrics metrics, Rectangle2D area, DoubleUnaryOperator x, DoubleUnaryOperator y) {
        List<Rectangle2D> marks = marks(x, y);
        Place[] places = new Place[points.length];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < points.length; i++) {
                List<Place> others = new ArrayList<>(Arrays.asList(places));
                others.remove(i);
                others.removeIf(Objects::isNull);
                Point2D at = new Point2D.Double(x.applyAsDouble(points[i].x()), y.applyAsDouble(points[i].y()));
                double width = metrics.stringWidth(points[i].label());
                places[i] = best(at, width, metrics.getAscent(), area, marks, others);
            }
        }
        return places;
    }

    /** Where markers and whiskers are. */
    private List<Rectangle2D> marks(DoubleUnaryOperator x, DoubleUnaryOperator y) {
        List<Rectangle2D> marks = new ArrayList<>();
        for (Point point : points) {
            double left = x.applyAsDouble(point.x());
            double top = y.applyAsDouble(point.y());
            marks.add(around(left, top, left, top, MARKER));
            marks.add(around(x.applyAsDouble(point.xLow()), top, x.applyAsDouble(point.xHigh()), top, 1));
            marks.add(around(left, y.applyAsDouble(point.yHigh()), left, y.applyAsDouble(point.yLow()), 1));
        }
        return marks;
    }

    private static Rectangle2D around(double left, double top, double right, double bottom, double beyond) {
        return new Rectangle2D.Double(
                left - beyond, top - beyond, right - left + 2 * beyond, bottom - top + 2 * beyond);
    }

    private static Place best(
            Point2D point, double width, double height, Rectangle2D area, List<Rectangle2D> marks, List<Place> others) {
        Place best = null;
        double least = Double.POSITIVE_INFINITY;
        for (double distance : DISTANCES) {
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                Rectangle2D box = box(point, width, height, distance, 2 * Math.PI * direction / DIRECTIONS);
                Place place = new Place(box, distance < FAR ? null : line(point, box));
                double cost = distance
                        + marks.stream().mapToDouble(mark -> common(box, mark)).sum()
                        + crossed(place, others)
                        + outside(box, area);
                if (cost < least) {
                    best = place;
                    least = cost;
                }
            }
        }
        return Objects.requireNonNull(best);
    }

    private static Line2D line(Point2D point, Rectangle2D box) {
        double x = Math.clamp(point.getX(), box.getMinX(), box.getMaxX());
        double y = Math.clamp(point.getY(), box.getMinY(), box.getMaxY());
        return new Line2D.Double(point.getX(), point.getY(), x, y);
    }

    /** The box of a label whose nearest side or corner is this far from the point, 0 to the right and on clockwise. */
    private static Rectangle2D box(Point2D point, double width, double height, double distance, double angle) {
        double x = point.getX() + distance * Math.cos(angle) - width / 2 * (1 - Math.cos(angle));
        double y = point.getY() + distance * Math.sin(angle) - height / 2 * (1 - Math.sin(angle));
        return new Rectangle2D.Double(x, y, width, height);
    }

    private static double common(Rectangle2D box, Rectangle2D other) {
        double surface = surface(box.createIntersection(other));
        return surface > 0 ? COVERED + surface : 0;
    }

    private static double crossed(Place place, List<Place> others) {
        double cost = 0;
        for (Place other : others) {
            Line2D line = place.line();
            Line2D otherLine = other.line();
            cost += common(place.box(), other.box());
            cost += line != null && line.intersects(other.box()) ? CROSSED : 0;
            cost += otherLine != null && otherLine.intersects(place.box()) ? CROSSED : 0;
            cost += line != null && otherLine != null && line.intersectsLine(otherLine) ? CROSSED : 0;
        }
        return cost;
    }

    private static double outside(Rectangle2D box, Rectangle2D area) {
        return 10 * (surface(box) - surface(box.createIntersection(area)));
    }

    private static double surface(Rectangle2D box) {
        return Math.max(0, box.getWidth()) * Math.max(0, box.getHeight());
    }
}
