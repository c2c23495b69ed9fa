/** Interface to work on other machines, implemented by {@code io.posbias.scale.spark} in {@code src/scale}. */
@NullMarked
package io.posbias.scale;

import org.jspecify.annotations.NullMarked;
