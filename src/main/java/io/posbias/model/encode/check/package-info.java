/** Checks of {@code posbias models check}: a model against its recipe. */
@NullMarked
package io.posbias.model.encode.check;

import org.jspecify.annotations.NullMarked;
