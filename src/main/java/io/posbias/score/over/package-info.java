/**
 * Models over several results: the loss at the back over benchmarks, comparisons of systems, agreement with another order of
 * models or of raters, and what seeds change.
 */
@NullMarked
package io.posbias.score.over;

import org.jspecify.annotations.NullMarked;
