/** Results as records and files. */
@NullMarked
package io.posbias.result;

import org.jspecify.annotations.NullMarked;
