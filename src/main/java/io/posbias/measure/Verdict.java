package io.posbias.measure;

import java.util.Locale;

/** What a profile says about position, in one word; {@link Direction} has the rule. */
public enum Verdict {
    PRIMACY("evidence at the front is found best"),
    RECENCY("evidence at the back is found best"),
    MIDDLE("evidence in the middle is found best"),
    EDGES("evidence in the middle is found worst"),
    UNEVEN("positions differ, but neither front, middle nor back stands out"),
    NONE("no difference between positions beyond noise"),
    UNDECIDED("too few queries to tell");

    private final String meaning;

    Verdict(String meaning) {
        this.meaning = meaning;
    }

    /** What it says, for people. */
    public String meaning() {
        return meaning;
    }

    /** The word. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
