package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonValue;

/** What the saliency of a document is divided by before it is averaged over documents. */
public enum SaliencyScale {
    /** The 99th percentile of absolute values, and what is beyond it clipped to -1 and 1: PosIR's published script. */
    P99("p99", "1: the 99th percentile of the document, clipped"),
    /** The greatest absolute value: PosIR's text. */
    MAXIMUM("maximum", "1: the maximum of the document"),
    /** Nothing: values stay in the score's own unit. */
    NONE("none", "the unit of the score");

    private static final double CLIP = 0.99;

    private final String word;
    private final String meaning;

    SaliencyScale(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    /** What 1 stands for, in words. */
    public String meaning() {
        return meaning;
    }

    /** The place of the divisor among the ascending absolute values of a document, as a share of the way to the last. */
    double place() {
        return this == P99 ? CLIP : 1;
    }

    /** The word on the command line and in results. */
    @Override
    @JsonValue
    public String toString() {
        return word;
    }
}
