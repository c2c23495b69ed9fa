package io.posbias.inside;

import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.Suggestions;

/** How a bias, which belongs to no token, is shared by the parts of a vector; their shares sum to 1. */
public enum BiasShares {
    /** By the absolute inner product of the bias with each part: what the paper on DecompX and ColDeR use. */
    ABSDOT,
    /** To each part as much as to any other. */
    EQUAL;

    /** The word on the command line and in results. */
    @Override
    @JsonValue
    public String toString() {
        return Suggestions.word(this);
    }
}
