/** JSON and YAML bound to records, with the place of each error. */
@NullMarked
package io.posbias.base.json;

import org.jspecify.annotations.NullMarked;
