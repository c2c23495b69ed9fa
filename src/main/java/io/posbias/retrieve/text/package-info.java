/** Analysis of text into terms. */
@NullMarked
package io.posbias.retrieve.text;

import org.jspecify.annotations.NullMarked;
