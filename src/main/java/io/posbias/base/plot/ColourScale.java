package io.posbias.base.plot;

import java.awt.Color;
import java.awt.Paint;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jfree.chart.renderer.PaintScale;

/**
 * Colour scale, clamped at its ends.
 *
 * <p>Sequential scales are matplotlib's viridis, whose equal steps look equal in grey print and to colour-blind
 * readers. Diverging scales are nearly white at 0, blue above and vermillion below (Okabe and Ito's, darker at the
 * ends), by the square root of a number, so that a few large ones leave contrast to the others.
 *
 * @param high above {@code low}
 * @param around0 true for a diverging scale; {@code low} is then {@code -high}
 */
public record ColourScale(double low, double high, boolean around0) implements PaintScale {
    private static final List<Color> VIRIDIS = List.of(
            new Color(68, 1, 84),
            new Color(71, 44, 122),
            new Color(59, 81, 139),
            new Color(44, 113, 142),
            new Color(33, 144, 141),
            new Color(39, 173, 129),
            new Color(92, 200, 99),
            new Color(170, 220, 50),
            new Color(253, 231, 37));

    private static final Color NOTHING = new Color(0xF7, 0xF7, 0xF7);
    private static final Color ABOVE = new Color(0x00, 0x4C, 0x8C);
    private static final Color BELOW = new Color(0xA8, 0x40, 0x00);

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
        double place = share * (VIRIDIS.size() - 1);
        int stop = Math.min((int) place, VIRIDIS.size() - 2);
        return between(VIRIDIS.get(stop), VIRIDIS.get(stop + 1), place - stop);
    }

    /** Returns the colour of text on the colour of a value. */
    public Color ink(double value) {
        return Math.abs(share(value)) < TURN == around0 ? Color.BLACK : Color.WHITE;
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
                between(from.getRed(), to.getRed(), share),
                between(from.getGreen(), to.getGreen(), share),
                between(from.getBlue(), to.getBlue(), share));
    }

    private static int between(int from, int to, double share) {
        return (int) Math.round(from + (to - from) * share);
    }
}
