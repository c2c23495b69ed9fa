package io.posbias.base.plot;

/**
 * matplotlib's sequential colours, whose equal steps look equal in grey print and to colour-blind readers; numbers without a
 * library, for pages.
 */
public final class Viridis {
    private static final int[] STOPS = {
        0x440154, 0x472C7A, 0x3B518B, 0x2C718E, 0x21908D, 0x27AD81, 0x5CC863, 0xAADC32, 0xFDE725
    };

    /** Shares below it are dark. */
    private static final double TURN = 0.55;

    private Viridis() {}

    /** Returns the colour of a share, clamped to [0, 1], as {@code 0xRRGGBB}: dark for 0, light for 1. */
    public static int rgb(double share) {
        double place = Math.clamp(share, 0, 1) * (STOPS.length - 1);
        int stop = Math.min((int) place, STOPS.length - 2);
        int rgb = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            rgb |= between(STOPS[stop] >> shift & 0xFF, STOPS[stop + 1] >> shift & 0xFF, place - stop) << shift;
        }
        return rgb;
    }

    /** Returns true if text on the colour of a share must be white. */
    public static boolean isDark(double share) {
        return share < TURN;
    }

    static int between(int from, int to, double share) {
        return (int) Math.round(from + (to - from) * share);
    }
}
