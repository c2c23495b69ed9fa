/** Encoders with planted bias on made-up benchmarks and probes, and what must be found of them. */
@NullMarked
package io.posbias.calibrate;

import org.jspecify.annotations.NullMarked;
