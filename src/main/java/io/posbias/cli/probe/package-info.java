/** {@code posbias probe}: controlled pairs of documents. */
@NullMarked
package io.posbias.cli.probe;

import org.jspecify.annotations.NullMarked;
