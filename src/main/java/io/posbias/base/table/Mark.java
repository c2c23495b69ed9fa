package io.posbias.base.table;

/** Emphasis of a cell; formats that cannot show it leave it out. */
public enum Mark {
    NONE,
    /** Best number of its column: bold. */
    BEST,
    /** Second best: underlined. */
    SECOND,
    /** No bias: green on a terminal. */
    SOUND,
    /** Inconclusive: yellow on a terminal. */
    UNSURE,
    /** Bias: red on a terminal. */
    BIASED
}
