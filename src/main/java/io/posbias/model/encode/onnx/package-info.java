/** ONNX graphs, their files, tokenizers and batches. */
@NullMarked
package io.posbias.model.encode.onnx;

import org.jspecify.annotations.NullMarked;
