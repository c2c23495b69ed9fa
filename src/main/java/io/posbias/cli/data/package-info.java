/** {@code posbias data}: benchmarks on disk. */
@NullMarked
package io.posbias.cli.data;

import org.jspecify.annotations.NullMarked;
