package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import io.posbias.model.inside.BiasShares;

/** Division of a bias among the parts of a vector, by {@link BiasShares}. */
final class Shares {
    private static final int[] LAST = {-1};

    private Shares() {}

    /**
     * Returns the share of each part.
     *
     * @param products inner products of the parts with the bias, (rows, parts)
     * @return (rows, parts); rows sum to 1
     */
    static NDArray of(BiasShares biases, NDArray products) {
        NDArray sizes =
                switch (biases) {
                    case ABSDOT -> absolute(products);
                    case EQUAL -> products.onesLike();
                };
        return sizes.div(sizes.sum(LAST, true));
    }

    /** Returns absolute products. All are 1 for a bias orthogonal to every part, so that shares still sum to 1. */
    private static NDArray absolute(NDArray products) {
        NDArray sizes = products.abs();
        return sizes.add(sizes.sum(LAST, true).eq(0).toType(sizes.getDataType(), false));
    }
}
