/**
 * Figures of results. Only this package and {@link io.posbias.base.plot} use the chart library (docs/adr/0016-charts.md).
 */
@NullMarked
package io.posbias.report.plot;

import org.jspecify.annotations.NullMarked;
