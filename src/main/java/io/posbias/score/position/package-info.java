/** Numbers by place of the evidence, read from stored cells. */
@NullMarked
package io.posbias.score.position;

import org.jspecify.annotations.NullMarked;
