/** Charts of any numbers as SVG and PNG; with {@code report.plot} the only user of the chart library. */
@NullMarked
package io.posbias.plot;

import org.jspecify.annotations.NullMarked;
