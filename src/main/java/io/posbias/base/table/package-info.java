/** Tables: columns, number formats, and renderers. */
@NullMarked
package io.posbias.base.table;

import org.jspecify.annotations.NullMarked;
