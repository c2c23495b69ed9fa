package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import org.jspecify.annotations.Nullable;

/** Scaled dot products of queries and keys, and the values they weigh. Vaswani et al. 2017, arXiv:1706.03762. */
final class Attention {
    private Attention() {}

    /** (rows, columns, heads x size) as (rows, heads, columns, size). */
    static NDArray split(NDArray projected, int heads) {
        Shape shape = projected.getShape();
        return projected
                .reshape(shape.get(0), shape.get(1), heads, shape.get(2) / heads)
                .transpose(0, 2, 1, 3);
    }

    /** (rows, heads, columns, size) as (rows, columns, heads x size). */
    static NDArray join(NDArray heads) {
        Shape shape = heads.getShape();
        return heads.transpose(0, 2, 1, 3).reshape(shape.get(0), shape.get(2), shape.get(1) * shape.get(3));
    }

    /**
     * How much each token attends to each.
     *
     * @param query (rows, heads, columns, size)
     * @param key the same
     * @param bias added before the softmax; null for nothing
     * @param calibration after it; null for none
     * @return (rows, heads, columns, columns); the last dimension sums to 1
     */
    static NDArray weights(NDArray query, NDArray key, @Nullable NDArray bias, @Nullable CalibratedRows calibration) {
        double scale = 1 / Math.sqrt((double) query.getShape().get(3));
        NDArray scores = query.mul(Torch.number(scale, query)).matMul(key.transpose(0, 1, 3, 2));
        NDArray attention = (bias == null ? scores : scores.add(bias)).softmax(-1);
        return calibration == null ? attention : calibration.of(attention);
    }
}
