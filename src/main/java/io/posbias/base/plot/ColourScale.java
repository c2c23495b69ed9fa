package io.posbias.base.plot;

import java.awt.Color;
import java.awt.Paint;
import java.util.DoubleSummaryStatistics;
import java.util.stream.DoubleStream;
import org.jfree.chart.renderer.PaintScale;

/**
 * Colour scale, clamped at its ends.
 *
 * <p>Sequential scales are {@link Viridis}. Diverging scales are nearly white at 0, blue above and vermillion below (Okabe and Ito's, darker at the
 * ends), by the square root of a number, so that a few large ones leave contrast to the others.
 *
 * @param high above {@code low}
 * @param around0 true for a diverging scale; {@code low} is then {@code -high}
 */
public record ColourScale(double low, double high, boolean around0) implements PaintScale {
    private static final Color NOTHING = new Color(0xF7, 0xF7, 0xF7);
    private static final Color ABOVE = new Color(0x00, 0x4C, 0x8C);
    private static final Color BELOW = new Color(0xA8, 0x40, 0x00);

    /** Shares from which on diverging colours are dark. */
    private static final double TURN = 0.55;

    /**
     * Makes a sequential scale from the minimum to the maximum, rounded outwards.
     *
     * @param leastSpan minimum span, so that noise does not use all colours
     */
    public static ColourScale of(DoubleStream numbers, double leastSpan, double most) {
        DoubleSummaryStatistics all = numbers.summaryStatistics();
        double span = Math.max(all.getMax() - all.getMin(), leastSpan);
        double low = Axes.roundDown(all.getMin(), span);
        double high = Math.min(most, Math.max(Axes.roundUp(all.getMax(), span), low + leastSpan));
        return new ColourScale(Math.min(low, high - leastSpan), high, false);
    }

    static ColourScale around0(double most) {
        return new ColourScale(-most, most, true);
    }

    @Override
    public double getLowerBound() {
        return low;
    }

    @Override
    public double getUpperBound() {
        return high;
    }

    @Override
    public Paint getPaint(double value) {
        double share = share(value);
        if (around0) {
            return between(NOTHING, share > 0 ? ABOVE : BELOW, Math.abs(share));
        }
        return new Color(Viridis.rgb(share));
    }

    /** Returns the colour of text on the colour of a value. */
    public Color ink(double value) {
        double share = share(value);
        boolean isDark = around0 ? Math.abs(share) >= TURN : Viridis.isDark(share);
        return isDark ? Color.WHITE : Color.BLACK;
    }

    private double share(double value) {
        if (around0) {
            double share = Math.clamp(value / high, -1, 1);
            return Math.signum(share) * Math.sqrt(Math.abs(share));
        }
        return Math.clamp((value - low) / (high - low), 0, 1);
    }

    private static Color between(Color from, Color to, double share) {
        return new Color(
                Viridis.between(from.getRed(), to.getRed(), share),
                Viridis.between(from.getGreen(), to.getGreen(), share),
                Viridis.between(from.getBlue(), to.getBlue(), share));
    }
}
