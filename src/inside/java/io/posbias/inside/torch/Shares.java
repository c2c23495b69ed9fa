package io.posbias.inside.torch;

import ai.djl.ndarray.NDArray;
import io.posbias.inside.BiasShares;

/** Shares of a bias, by {@link BiasShares}. */
final class Shares {
    private static final int[] LAST = {-1};

    private Shares() {}

    /**
     * The shares of each part.
     *
     * @param products of each part with the bias: (rows, parts)
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

    /** A bias that no part has anything of is shared equally, so that parts still sum to the whole. */
    private static NDArray absolute(NDArray products) {
        NDArray sizes = products.abs();
        return sizes.add(sizes.sum(LAST, true).eq(0).toType(sizes.getDataType(), false));
    }
}
