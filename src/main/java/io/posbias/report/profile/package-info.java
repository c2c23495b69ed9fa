/** Tables of one benchmark's results: means by position, statistics of PSI, truncation; and strips, a row of cells per model. */
@NullMarked
package io.posbias.report.profile;

import org.jspecify.annotations.NullMarked;
