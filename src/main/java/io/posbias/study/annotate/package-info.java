/** Validation of the labels of a construction by people: blind sheets, and what their answers say. */
@NullMarked
package io.posbias.study.annotate;

import org.jspecify.annotations.NullMarked;
