/** Commands, one class each. */
@NullMarked
package io.posbias.cli;

import org.jspecify.annotations.NullMarked;
