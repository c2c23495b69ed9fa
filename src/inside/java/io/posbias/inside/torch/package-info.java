/** White boxes on PyTorch: forward passes over arrays that can be differentiated, parts of vectors, training of encoders. */
@NullMarked
package io.posbias.inside.torch;

import org.jspecify.annotations.NullMarked;
