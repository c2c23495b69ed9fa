/** Reports on results: tables, pages and figures. */
@NullMarked
package io.posbias.report;

import org.jspecify.annotations.NullMarked;
