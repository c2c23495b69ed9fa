/** Caches of vectors and scores on disk, so that nothing is encoded twice and a killed run continues. */
@NullMarked
package io.posbias.model.encode.cache;

import org.jspecify.annotations.NullMarked;
