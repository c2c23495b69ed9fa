/** A model on a benchmark or on a list of items: what {@code eval}, {@code score}, {@code run}, probes and diagnoses share. */
@NullMarked
package io.posbias.evaluate;

import org.jspecify.annotations.NullMarked;
