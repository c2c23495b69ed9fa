/** ONNX graphs, their files, their tokenizers and batches of tokens. */
@NullMarked
package io.posbias.encode.onnx;

import org.jspecify.annotations.NullMarked;
