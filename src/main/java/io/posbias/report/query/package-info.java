/** Selected queries of results: conditions, groups, and single queries with their rankings. */
@NullMarked
package io.posbias.report.query;

import org.jspecify.annotations.NullMarked;
