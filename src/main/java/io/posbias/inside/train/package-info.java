/** Training of dense encoders: pairs of queries and passages, the loss, steps, checkpoints, the trained model's folder. */
@NullMarked
package io.posbias.inside.train;

import org.jspecify.annotations.NullMarked;
