/** Tables of one benchmark's results: means by position, statistics of PSI, truncation. */
@NullMarked
package io.posbias.report.profile;

import org.jspecify.annotations.NullMarked;
