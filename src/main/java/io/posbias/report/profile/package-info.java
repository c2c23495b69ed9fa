/** The tables of one benchmark's results: means by position, what PSI is worth, what was not read. */
@NullMarked
package io.posbias.report.profile;

import org.jspecify.annotations.NullMarked;
