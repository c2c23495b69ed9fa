/** Benchmarks of windows: the same evidence at the front, in the middle and at the end of natural text. */
@NullMarked
package io.posbias.study.build.windows;

import org.jspecify.annotations.NullMarked;
