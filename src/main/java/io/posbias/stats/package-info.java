/**
 * Plain statistics over arrays of numbers. Each function says its null hypothesis; none knows a query or a bucket.
 */
@NullMarked
package io.posbias.stats;

import org.jspecify.annotations.NullMarked;
