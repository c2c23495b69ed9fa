package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.jspecify.annotations.Nullable;

/** A forward pass. Rows are padded on the right; what padding gives counts nowhere. */
interface Transformer {
    /**
     * The input embeddings of tokens, before positions, types and norms.
     *
     * @param ids (rows, columns), whole numbers
     * @return (rows, columns, width)
     */
    NDArray embed(NDArray ids);

    /**
     * What the last layer gives.
     *
     * @param embedded (rows, columns, width)
     * @param padding whose tokens no other attends to
     * @return (rows, columns, width)
     */
    NDArray hidden(NDArray embedded, Padding padding);

    /**
     * What rows of several lengths need.
     *
     * @param types (rows, columns), each token's
     * @param mask (rows, columns), 1 for a token and 0 for padding
     * @param ragged whether there is any padding
     * @param calibration of attention; null for none
     */
    record Padding(
            NDArray types,
            NDArray mask,
            boolean ragged,
            @Nullable CalibratedRows calibration) {
        /** What is added to scores of attention, (rows, 1, 1, columns): so little that padding gets no share. */
        NDArray bias() {
            return mask.sub(1).mul(Float.MAX_VALUE).expandDims(1).expandDims(1);
        }

        /** The calibration of a layer of so many; null where it has none. */
        @Nullable
        CalibratedRows calibration(int layer, int layers) {
            return calibration != null && calibration.at(layer, layers) ? calibration : null;
        }

        NDManager manager() {
            return mask.getManager();
        }
    }
}
