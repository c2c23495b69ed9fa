/** ONNX graphs, their files, tokenizers and batches. */
@NullMarked
package io.posbias.encode.onnx;

import org.jspecify.annotations.NullMarked;
