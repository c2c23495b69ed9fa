/** Interface to work on other machines, implemented by {@code io.posbias.model.scale.spark} in {@code src/scale}. */
@NullMarked
package io.posbias.model.scale;

import org.jspecify.annotations.NullMarked;
