package io.posbias.model.encode.model;

/** Function that turns a reranker's logit into its score. */
public enum Activation {
    /** The logit is the score. */
    NONE,
    /** 1 / (1 + e^-x) of the logit; the order of passages stays, but for ties where 32-bit floats run out. */
    SIGMOID,
    /** The share of "yes" against "no". */
    SOFTMAX;

    /**
     * Returns the value that the function is applied to. It orders pairs as scores do, without their rounding.
     *
     * @param yes the logit, or that of "yes"
     * @param no that of "no"; 0 where there is none
     */
    double logit(double yes, double no) {
        return this == SOFTMAX ? yes - no : yes;
    }

    /** The score of a {@linkplain #logit logit}; the softmax of two is the sigmoid of their difference. */
    public float of(double logit) {
        return (float) (this == NONE ? logit : 1 / (1 + Math.exp(-logit)));
    }
}
