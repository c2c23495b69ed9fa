package io.posbias.plot;

import java.util.List;
import org.jfree.chart.LegendItem;
import org.jfree.chart.plot.XYPlot;

/**
 * One plot of a figure.
 *
 * @param title what sets it apart from the figure's other panels; empty when there is but one
 * @param subtitle a line in smaller letters; may be empty
 * @param legend of this panel alone; may be empty
 * @param plot whose axes carry no titles, the figure has them
 */
public record Panel(String title, String subtitle, List<LegendItem> legend, XYPlot plot) {
    public Panel {
        legend = List.copyOf(legend);
    }
}
