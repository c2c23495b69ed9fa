package io.posbias.model.inside;

import com.fasterxml.jackson.annotation.JsonValue;
import io.posbias.base.text.Suggestions;

/** Rule that divides a bias among the parts of a vector, since it belongs to no token. Shares sum to 1. */
public enum BiasShares {
    /** By the absolute inner product of the bias with each part: as in the DecompX paper and ColDeR. */
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
