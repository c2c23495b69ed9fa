/**
 * Evaluation of a model on a benchmark or on a list of items, shared by {@code eval}, {@code score}, {@code run},
 * probes and diagnoses.
 */
@NullMarked
package io.posbias.score.evaluate;

import org.jspecify.annotations.NullMarked;
