/** Checks of {@code posbias models check}: a model against its recipe. */
@NullMarked
package io.posbias.encode.check;

import org.jspecify.annotations.NullMarked;
