/**
 * From text to vectors and scores: tokenizers, ONNX sessions, pooling, the cache of vectors on disk. Nothing here knows
 * benchmarks or rankings; exact search and MaxSim, which do, are in {@code retrieve}.
 */
@NullMarked
package io.posbias.encode;

import org.jspecify.annotations.NullMarked;
