/**
 * White-box encoders: gradients of scores, the parts of vectors by token, and training, as other rooms use them. What computes
 * them is {@code io.posbias.model.inside.torch} in {@code src/inside}.
 */
@NullMarked
package io.posbias.model.inside;

import org.jspecify.annotations.NullMarked;
