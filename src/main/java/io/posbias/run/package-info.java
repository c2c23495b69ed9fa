/** A model on a benchmark or on a list of items: cells, and the runner of diagnoses. */
@NullMarked
package io.posbias.run;

import org.jspecify.annotations.NullMarked;
