package io.posbias.base.plot;

import org.jfree.chart.plot.XYPlot;

/**
 * A plot of a figure.
 *
 * @param title distinguishes it from the figure's other panels; empty for a single panel
 * @param subtitle a line in smaller letters; may be empty
 * @param plot without axis titles, which the figure draws
 */
public record Panel(String title, String subtitle, XYPlot plot) {}
