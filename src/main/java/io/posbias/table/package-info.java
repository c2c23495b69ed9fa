/** Tables: columns, numbers as they are printed, and the texts they become. */
@NullMarked
package io.posbias.table;

import org.jspecify.annotations.NullMarked;
