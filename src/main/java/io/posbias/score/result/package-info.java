/** Results as records and files. */
@NullMarked
package io.posbias.score.result;

import org.jspecify.annotations.NullMarked;
