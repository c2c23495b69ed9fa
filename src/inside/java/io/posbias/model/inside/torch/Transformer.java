package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;

/** Forward pass of a transformer. Rows are padded on the right. */
interface Transformer {
    /**
     * Returns input embeddings of tokens, before positions, types and norms.
     *
     * @param ids token identifiers, (rows, columns)
     * @return (rows, columns, width)
     */
    NDArray embed(NDArray ids);

    /**
     * Returns the hidden states of the last layer.
     *
     * @param embedded input embeddings, (rows, columns, width)
     * @return (rows, columns, width)
     */
    NDArray hidden(NDArray embedded, Padding padding);

    /**
     * Padding mask and token types of a batch.
     *
     * @param types token types, (rows, columns)
     * @param mask (rows, columns), 1 for tokens and 0 for padding
     * @param ragged true if any row is padded
     */
    record Padding(
            NDArray types,
            NDArray mask,
            boolean ragged) {
        /** Returns the bias of attention scores that excludes padding, (rows, 1, 1, columns). */
        NDArray bias() {
            return mask.sub(1).mul(Float.MAX_VALUE).expandDims(1).expandDims(1);
        }

        NDManager manager() {
            return mask.getManager();
        }
    }
}
