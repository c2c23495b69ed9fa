/** White-box encoders on PyTorch: differentiable forward passes, token decomposition, training. */
@NullMarked
package io.posbias.model.inside.torch;

import org.jspecify.annotations.NullMarked;
