/** Evidence placed elsewhere in its passage, the rest kept as it is. */
@NullMarked
package io.posbias.run.placing;

import org.jspecify.annotations.NullMarked;
