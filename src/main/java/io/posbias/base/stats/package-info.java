/** Statistics over arrays of numbers, independent of queries and buckets. Each test states its null hypothesis. */
@NullMarked
package io.posbias.base.stats;

import org.jspecify.annotations.NullMarked;
