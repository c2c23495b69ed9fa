/** A result as a record, and its files: read and written in one place. */
@NullMarked
package io.posbias.result;

import org.jspecify.annotations.NullMarked;
