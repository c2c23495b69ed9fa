/**
 * What comes by network: files from the Hugging Face Hub, verified, resumable, never half under their final name, the
 * benchmarks made of them, and models.
 */
@NullMarked
package io.posbias.hub;

import org.jspecify.annotations.NullMarked;
