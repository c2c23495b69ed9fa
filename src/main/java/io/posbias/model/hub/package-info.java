/**
 * Downloads from the Hugging Face Hub: verified files, resumable, complete under their final name; the
 * benchmarks made of them, and models.
 */
@NullMarked
package io.posbias.model.hub;

import org.jspecify.annotations.NullMarked;
