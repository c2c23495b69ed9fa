/**
 * From text to vectors and scores: tokenizers, ONNX sessions, pooling, the vector cache. Independent of benchmarks and
 * rankings; exact search and MaxSim are in {@code retrieve}.
 */
@NullMarked
package io.posbias.model.encode;

import org.jspecify.annotations.NullMarked;
