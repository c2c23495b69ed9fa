/** Vectors and scores on disk, so that nothing is encoded twice and a run that was killed goes on. */
@NullMarked
package io.posbias.encode.cache;

import org.jspecify.annotations.NullMarked;
