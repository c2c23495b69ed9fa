package io.posbias.model.encode;

/** Role of a text in a search; some models encode the two differently. */
public enum Role {
    QUERY,
    PASSAGE
}
