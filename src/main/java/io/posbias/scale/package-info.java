/** Work on other machines, as commands use it; what does it is {@code io.posbias.scale.spark} in {@code src/scale}. */
@NullMarked
package io.posbias.scale;

import org.jspecify.annotations.NullMarked;
