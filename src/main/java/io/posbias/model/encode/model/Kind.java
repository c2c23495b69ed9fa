package io.posbias.model.encode.model;

import io.posbias.base.text.Suggestions;

/** Kinds of recipes that are made without one, each with the family that its results stand under. */
public enum Kind {
    DENSE("dense"),
    STATIC("dense"),
    SPARSE("sparse"),
    LATE_INTERACTION("late-interaction"),
    CROSS_ENCODER("reranker"),
    EMBEDDING_API("dense"),
    RERANK_API("reranker");

    private final String family;

    Kind(String family) {
        this.family = family;
    }

    public String family() {
        return family;
    }

    /** Returns the value of the field {@code kind}. */
    public String word() {
        return Suggestions.word(this);
    }
}
