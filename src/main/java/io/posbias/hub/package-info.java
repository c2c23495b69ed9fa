/**
 * What comes by network: files from the Hugging Face Hub, verified, resumable, never half under their final name, and the
 * benchmarks made of them.
 */
@NullMarked
package io.posbias.hub;

import org.jspecify.annotations.NullMarked;
