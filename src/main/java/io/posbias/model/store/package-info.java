/** Models by name: found, downloaded, or served elsewhere. */
@NullMarked
package io.posbias.model.store;

import org.jspecify.annotations.NullMarked;
