/** Models over several results: the loss at the back over benchmarks, and what seeds change. */
@NullMarked
package io.posbias.score.over;

import org.jspecify.annotations.NullMarked;
