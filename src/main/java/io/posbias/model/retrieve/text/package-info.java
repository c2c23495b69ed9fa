/** Analysis of text into terms. */
@NullMarked
package io.posbias.model.retrieve.text;

import org.jspecify.annotations.NullMarked;
