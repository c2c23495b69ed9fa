package io.posbias.plot;

import java.awt.Color;
import java.awt.Paint;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The colour map viridis of matplotlib: equal steps look equal, grey print and colour-blind people keep the order. Between
 * nine of its colours it is interpolated.
 *
 * @param low the value of the darkest colour
 * @param high the value of the lightest, above {@code low}
 */
public record Viridis(double low, double high) implements ColourScale {
    private static final List<Color> STOPS = List.of(
            new Color(68, 1, 84),
            new Color(71, 44, 122),
            new Color(59, 81, 139),
            new Color(44, 113, 142),
            new Color(33, 144, 141),
            new Color(39, 173, 129),
            new Color(92, 200, 99),
            new Color(170, 220, 50),
            new Color(253, 231, 37));

    /** From here on black text reads better on the colour than white. */
    private static final double LIGHT = 0.55;

    /**
     * Colours from the least to the largest of some numbers, rounded outwards.
     *
     * @param leastSpan what they span at least, so that noise does not look like the rainbow
     * @param most where they end at the latest
     */
    public static Viridis of(DoubleStream numbers, double leastSpan, double most) {
        DoubleSummaryStatistics all = numbers.summaryStatistics();
        double span = Math.max(all.getMax() - all.getMin(), leastSpan);
        double low = Axes.roundDown(all.getMin(), span);
        double high = Math.min(most, Math.max(Axes.roundUp(all.getMax(), span), low + leastSpan));
        return new Viridis(Math.min(low, high - leastSpan), high);
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
        double place = share(value) * (STOPS.size() - 1);
        int stop = Math.min((int) place, STOPS.size() - 2);
        Color from = STOPS.get(stop);
        Color to = STOPS.get(stop + 1);
        double share = place - stop;
        return new Color(
                between(from.getRed(), to.getRed(), share),
                between(from.getGreen(), to.getGreen(), share),
                between(from.getBlue(), to.getBlue(), share));
    }

    @Override
    public Color ink(double value) {
        return share(value) < LIGHT ? Color.WHITE : Color.BLACK;
    }

    private double share(double value) {
        return Math.clamp((value - low) / (high - low), 0, 1);
    }

    private static int between(int from, int to, double share) {
        return (int) Math.round(from + (to - from) * share);
    }
}
