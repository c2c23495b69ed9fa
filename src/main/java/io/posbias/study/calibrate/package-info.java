/** Encoders with planted bias on synthetic benchmarks, and the expected results. */
@NullMarked
package io.posbias.study.calibrate;

import org.jspecify.annotations.NullMarked;
