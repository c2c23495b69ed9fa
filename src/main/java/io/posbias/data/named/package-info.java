/** Benchmarks by name: found, downloaded, converted and kept. */
@NullMarked
package io.posbias.data.named;

import org.jspecify.annotations.NullMarked;
