/**
 * White-box encoders: a transformer's forward pass over arrays of an autograd engine, which gives gradients, the parts of a
 * vector by token, and training.
 */
@NullMarked
package io.posbias.inside;

import org.jspecify.annotations.NullMarked;
