/** Models that are looked into and trained in workers: gradients of scores, layers, the parts of vectors by token, training. */
@NullMarked
package io.posbias.model.inside;

import org.jspecify.annotations.NullMarked;
