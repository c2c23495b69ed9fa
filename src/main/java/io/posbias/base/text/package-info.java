/** Texts shown to people: safe, plural, suggested. */
@NullMarked
package io.posbias.base.text;

import org.jspecify.annotations.NullMarked;
