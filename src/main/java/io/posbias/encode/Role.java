package io.posbias.encode;

/** What a text is to a search: some models treat the two differently. */
public enum Role {
    /** What is asked. */
    QUERY,
    /** What can be found. */
    PASSAGE
}
