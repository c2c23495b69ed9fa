/** Statistics over arrays of numbers, independent of queries and buckets. Each test states its null hypothesis. */
@NullMarked
package io.posbias.stats;

import org.jspecify.annotations.NullMarked;
