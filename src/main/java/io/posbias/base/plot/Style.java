package io.posbias.base.plot;

import io.posbias.base.text.Printable;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.LegendItem;

/**
 * Style of a line or point. Styles differ in colour, dashes and marker, so that they also differ without colour.
 * Colours are Okabe and Ito's (https://jfly.uni-koeln.de/color/), safe for colour-blind readers, without their pale
 * yellow.
 */
public record Style(Color colour, Stroke stroke, Shape marker) {
    // A logical font: Java finds one on every machine that has any, and SVG calls it sans-serif.
    private static final String FAMILY = Font.SANS_SERIF;

    static final Font TITLE = new Font(FAMILY, Font.BOLD, 14);
    static final Font PANEL = new Font(FAMILY, Font.BOLD, 12);
    static final Font TEXT = new Font(FAMILY, Font.PLAIN, 12);
    static final Font SMALL = new Font(FAMILY, Font.PLAIN, 11);

    static final Color INK = new Color(0x22, 0x22, 0x22);
    static final Color FAINT = new Color(0x66, 0x66, 0x66);
    static final Color GRID = new Color(0xE3, 0xE3, 0xE3);
    static final Stroke HAIR = new BasicStroke(0.8f);

    private static final Color BLUE = new Color(0x00, 0x72, 0xB2);
    private static final Color VERMILLION = new Color(0xD5, 0x5E, 0x00);
    private static final Color GREEN = new Color(0x00, 0x9E, 0x73);
    private static final Color ORANGE = new Color(0xE6, 0x9F, 0x00);
    private static final Color PURPLE = new Color(0xCC, 0x79, 0xA7);
    private static final Color SKY = new Color(0x56, 0xB4, 0xE9);
    private static final Color DARK = new Color(0x33, 0x33, 0x33);

    private static final List<Color> LINES = List.of(BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, DARK);

    private static final float LINE_WIDTH = 1.6f;
    private static final List<float[]> DASHES =
            List.of(new float[] {}, new float[] {6, 3}, new float[] {2, 2}, new float[] {8, 3, 2, 3});

    private static final double RADIUS = 3.2;
    private static final double SAMPLE = 13;

    /** Returns the n-th style; colours repeat after seven, dashes after four, markers after five. */
    public static Style line(int number) {
        float[] dash = DASHES.get(number % DASHES.size());
        Stroke stroke = dash.length == 0
                ? new BasicStroke(LINE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND)
                : new BasicStroke(LINE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dash, 0);
        return new Style(LINES.get(number % LINES.size()), stroke, marker(number));
    }

    /** Returns the n-th colour and marker with a solid line. */
    public static Style solid(int number) {
        return new Style(line(number).colour, line(0).stroke, marker(number));
    }

    /** Returns the n-th colour and marker with a dashed line. */
    public static Style dashed(int number) {
        return new Style(line(number).colour, line(1).stroke, marker(number));
    }

    private static Shape marker(int number) {
        List<Shape> markers = List.of(
                new Ellipse2D.Double(-RADIUS, -RADIUS, 2 * RADIUS, 2 * RADIUS),
                polygon(-RADIUS, -RADIUS, RADIUS, -RADIUS, RADIUS, RADIUS, -RADIUS, RADIUS),
                polygon(0, -1.3 * RADIUS, 1.2 * RADIUS, RADIUS, -1.2 * RADIUS, RADIUS),
                polygon(0, -1.4 * RADIUS, 1.4 * RADIUS, 0, 0, 1.4 * RADIUS, -1.4 * RADIUS, 0),
                polygon(0, 1.3 * RADIUS, 1.2 * RADIUS, -RADIUS, -1.2 * RADIUS, -RADIUS));
        return markers.get(number % markers.size());
    }

    private static Shape polygon(double... coordinates) {
        Path2D path = new Path2D.Double();
        path.moveTo(coordinates[0], coordinates[1]);
        for (int i = 2; i < coordinates.length; i += 2) {
            path.lineTo(coordinates[i], coordinates[i + 1]);
        }
        path.closePath();
        return path;
    }

    public LegendItem lineItem(String label) {
        return item(label, true);
    }

    public LegendItem bareItem(String label) {
        return item(label, false);
    }

    private LegendItem item(String label, boolean marked) {
        Shape sample = new Line2D.Double(-SAMPLE, 0, SAMPLE, 0);
        return new LegendItem(
                Printable.of(label),
                null,
                null,
                null,
                marked,
                marker,
                true,
                colour,
                false,
                colour,
                HAIR,
                true,
                sample,
                stroke,
                colour);
    }

    public LegendItem pointItem(String label) {
        return new LegendItem(Printable.of(label), null, null, null, marker, colour, HAIR, colour);
    }

    public static LegendItem fillItem(String label, Color fill) {
        return new LegendItem(
                Printable.of(label), null, null, null, new Rectangle2D.Double(-5, -5, 10, 10), fill, HAIR, INK);
    }
}
