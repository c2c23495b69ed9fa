package io.posbias.inside;

import ai.djl.ndarray.NDArray;
import io.posbias.Suggestions;

/** How a bias, which belongs to no token, is shared by the parts of a vector; their shares sum to 1. */
public enum BiasShares {
    /** By the absolute inner product of the bias with each part: what the paper on DecompX and ColDeR use. */
    ABSDOT {
        @Override
        NDArray of(NDArray products) {
            NDArray sizes = products.abs();
            // A bias that no part has anything of is shared equally, so that parts still sum to the whole.
            return sizes.add(sizes.sum(LAST, true).eq(0).toType(sizes.getDataType(), false));
        }
    },
    /** To each part as much as to any other. */
    EQUAL {
        @Override
        NDArray of(NDArray products) {
            return products.onesLike();
        }
    };

    private static final int[] LAST = {-1};

    /** Shares that need not sum to 1. */
    abstract NDArray of(NDArray products);

    /**
     * The shares of each part.
     *
     * @param products of each part with the bias: (rows, parts)
     * @return (rows, parts); rows sum to 1
     */
    final NDArray shares(NDArray products) {
        NDArray sizes = of(products);
        return sizes.div(sizes.sum(LAST, true));
    }

    /** The word on the command line and in results. */
    @Override
    public String toString() {
        return Suggestions.word(this);
    }
}
