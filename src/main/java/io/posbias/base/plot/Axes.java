package io.posbias.base.plot;

import io.posbias.base.stats.Interval;
import io.posbias.base.text.Printable;
import java.awt.Color;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jfree.chart.axis.AxisSpace;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;

/** Axes and empty plots of figures. */
public final class Axes {
    private static final double PARTS = 7;
    private static final double SLACK = 1e-9;
    private static final double MARGIN = 0.03;

    private Axes() {}

    /** Makes a linear axis with round ticks. */
    public static NumberAxis numbers(double low, double high) {
        NumberAxis axis = new NumberAxis();
        dress(axis);
        axis.setRange(low, high);
        axis.setTickUnit(unit(high - low));
        // The default would follow the machine's language.
        axis.setNumberFormatOverride(new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        return axis;
    }

    /** Makes a linear axis with room for the markers of points at its ends, which a plot cuts off at its edge. */
    public static NumberAxis roomy(double low, double high) {
        double margin = (high - low) * MARGIN;
        NumberAxis axis = numbers(low, high);
        axis.setRange(low - margin, high + margin);
        return axis;
    }

    /** Makes a logarithmic axis with ticks at powers of 10. */
    public static ValueAxis powers(double low, double high) {
        LogAxis axis = new LogAxis();
        dress(axis);
        axis.setRange(low, high);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setMinorTickMarksVisible(false);
        axis.setNumberFormatOverride(new DecimalFormat("0.#####", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        return axis;
    }

    /** Makes an axis with round ends that contains 0 and all intervals. */
    public static NumberAxis around(Stream<Interval> drawn) {
        double low = 0;
        double high = 0;
        for (Interval interval : drawn.toList()) {
            low = Math.min(low, interval.low());
            high = Math.max(high, interval.high());
        }
        double span = high > low ? high - low : 1;
        return numbers(roundDown(low, span), roundUp(high > low ? high : 1, span));
    }

    static NumberAxis names(List<String> names) {
        SymbolAxis axis = new SymbolAxis(null, names.stream().map(Printable::of).toArray(String[]::new));
        dress(axis);
        axis.setGridBandsVisible(false);
        axis.setRange(-0.5, names.size() - 0.5);
        return axis;
    }

    private static NumberTickUnit unit(double span) {
        double decade = Math.pow(10, Math.floor(Math.log10(span / PARTS)));
        for (double lead : new double[] {1, 2, 5}) {
            if (span / (lead * decade) <= PARTS) {
                return new NumberTickUnit(lead * decade);
            }
        }
        return new NumberTickUnit(10 * decade);
    }

    public static void dress(ValueAxis axis) {
        axis.setTickLabelFont(Style.SMALL);
        axis.setTickLabelPaint(Style.INK);
        axis.setAxisLinePaint(Style.FAINT);
        axis.setTickMarkPaint(Style.FAINT);
        axis.setTickMarkOutsideLength(3);
        axis.setTickMarkInsideLength(0);
    }

    /** Makes an empty plot. Its axes are outside its area, so that the plots of a grid line up. */
    public static XYPlot plot(ValueAxis x, ValueAxis y) {
        XYPlot plot = new XYPlot(null, x, y, null);
        plot.setInsets(RectangleInsets.ZERO_INSETS);
        plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
        plot.setFixedDomainAxisSpace(new AxisSpace());
        plot.setFixedRangeAxisSpace(new AxisSpace());
        plot.setOutlineVisible(false);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinePaint(Style.GRID);
        plot.setRangeGridlineStroke(Style.HAIR);
        plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
        return plot;
    }

    /** Adds grid lines at the ticks of the x axis. */
    public static void drawAcross(XYPlot plot) {
        plot.setDomainGridlinesVisible(true);
        plot.setDomainGridlinePaint(Style.GRID);
        plot.setDomainGridlineStroke(Style.HAIR);
    }

    /**
     * Rounds up by at most a fifth of the span.
     *
     * @param span approximate length of the axis
     */
    public static double roundUp(double value, double span) {
        double step = step(span);
        return step * Math.ceil(value / step - SLACK);
    }

    /** Rounds down by at most a fifth of the span. */
    public static double roundDown(double value, double span) {
        double step = step(span);
        return step * Math.floor(value / step + SLACK);
    }

    private static double step(double value) {
        double decade = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1e-6))));
        double lead = value / decade;
        return lead > 5 ? decade : lead > 2 ? decade / 2 : decade / 5;
    }
}
