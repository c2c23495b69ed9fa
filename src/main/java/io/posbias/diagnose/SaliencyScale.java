package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonValue;

/** Divisor of a document's saliency before averaging over documents. */
public enum SaliencyScale {
    /** The 99th percentile of absolute values, clipped to -1..1, as in PosIR's script. */
    P99("p99", "1: the 99th percentile of the document, clipped"),
    /** The largest absolute value, as in PosIR's text. */
    MAXIMUM("maximum", "1: the maximum of the document"),
    /** None: values stay in the score's unit. */
    NONE("none", "the unit of the score");

    private static final double CLIP = 0.99;

    private final String word;
    private final String meaning;

    SaliencyScale(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    /** Meaning of the value 1. */
    public String meaning() {
        return meaning;
    }

    /** Quantile of the divisor among the absolute values. */
    double place() {
        return this == P99 ? CLIP : 1;
    }

    @Override
    @JsonValue
    public String toString() {
        return word;
    }
}
