/** Sizes of benchmarks that find an effect, by simulation on a pilot result. */
@NullMarked
package io.posbias.score.plan;

import org.jspecify.annotations.NullMarked;
