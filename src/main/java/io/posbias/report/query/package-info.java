/** Some queries of results: conditions on their fields, groups by a field, and one query with its rankings. */
@NullMarked
package io.posbias.report.query;

import org.jspecify.annotations.NullMarked;
