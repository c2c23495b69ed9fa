package io.posbias.plot;

import java.awt.Color;
import java.awt.Paint;

/**
 * Colours of numbers around 0, which is nearly white: blue above, vermillion below, which colour-blind people can tell apart
 * (Okabe and Ito's, darker at the ends). Colours go with the square root of a number: a few large ones leave something to
 * be seen of the others. What is beyond the ends has their colours.
 *
 * @param most the value of the darkest blue, above 0; the darkest vermillion is as far on the other side
 */
public record Diverging(double most) implements ColourScale {
    private static final Color NOTHING = new Color(0xF7, 0xF7, 0xF7);
    private static final Color ABOVE = new Color(0x00, 0x4C, 0x8C);
    private static final Color BELOW = new Color(0xA8, 0x40, 0x00);

    /** From here on white text reads better on the colour than black. */
    private static final double DARK = 0.55;

    @Override
    public double getLowerBound() {
        return -most;
    }

    @Override
    public double getUpperBound() {
        return most;
    }

    @Override
    public Paint getPaint(double value) {
        double share = share(value);
        Color end = share > 0 ? ABOVE : BELOW;
        return new Color(
                between(NOTHING.getRed(), end.getRed(), Math.abs(share)),
                between(NOTHING.getGreen(), end.getGreen(), Math.abs(share)),
                between(NOTHING.getBlue(), end.getBlue(), Math.abs(share)));
    }

    @Override
    public Color ink(double value) {
        return Math.abs(share(value)) < DARK ? Color.BLACK : Color.WHITE;
    }

    private double share(double value) {
        double share = Math.clamp(value / most, -1, 1);
        return Math.signum(share) * Math.sqrt(Math.abs(share));
    }

    private static int between(int from, int to, double share) {
        return (int) Math.round(from + (to - from) * share);
    }
}
