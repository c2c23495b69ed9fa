/** How many queries a benchmark needs, by simulation on a pilot result. */
@NullMarked
package io.posbias.score.plan;

import org.jspecify.annotations.NullMarked;
