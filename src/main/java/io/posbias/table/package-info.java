/** Tables: columns, number formats, and renderers. */
@NullMarked
package io.posbias.table;

import org.jspecify.annotations.NullMarked;
