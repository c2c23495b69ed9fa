/**
 * From results to text: result files, tables in several formats, the papers' published rows. A report is a record, a
 * renderer is a function from record to text.
 */
@NullMarked
package io.posbias.report;

import org.jspecify.annotations.NullMarked;
