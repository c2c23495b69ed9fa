package io.posbias.table;

/** Emphasis of a cell; formats that cannot show it leave it out. */
public enum Mark {
    /** Nothing. */
    NONE,
    /** The best number of its column: bold. */
    BEST,
    /** The second best: underlined. */
    SECOND,
    /** The word for no bias: green on a terminal. */
    SOUND,
    /** The word for not knowing: yellow on a terminal. */
    UNSURE,
    /** The word for a bias: red on a terminal. */
    BIASED
}
