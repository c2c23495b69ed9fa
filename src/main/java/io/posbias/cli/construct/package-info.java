/** {@code posbias construct}: benchmarks and training sets made from raw text. */
@NullMarked
package io.posbias.cli.construct;

import org.jspecify.annotations.NullMarked;
