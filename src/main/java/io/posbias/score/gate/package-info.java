/** Today against baseline: which numbers differ, and by how much. */
@NullMarked
package io.posbias.score.gate;

import org.jspecify.annotations.NullMarked;
