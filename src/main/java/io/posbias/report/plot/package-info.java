/**
 * From results to pictures. A drawing turns the results on one benchmark into a {@link io.posbias.plot.Figure}; a
 * figure knows how to draw itself, and {@link io.posbias.plot.Pictures} writes it as SVG and PNG. No other package
 * may use the chart library (docs/adr/0016-charts.md).
 */
@NullMarked
package io.posbias.report.plot;

import org.jspecify.annotations.NullMarked;
