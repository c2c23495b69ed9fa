/** Files: written whole or not at all, locked, named, compared by digests. */
@NullMarked
package io.posbias.base.files;

import org.jspecify.annotations.NullMarked;
