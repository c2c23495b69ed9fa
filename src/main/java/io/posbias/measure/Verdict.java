package io.posbias.measure;

import java.util.Locale;

/** What a profile says about position, in one word; {@link Direction} has the rule. */
public enum Verdict {
    PRIMACY("scores are highest for evidence at the front"),
    RECENCY("scores are highest for evidence at the back"),
    MIDDLE("scores are highest for evidence in the middle"),
    EDGES("scores are lowest for evidence in the middle"),
    UNEVEN("positions differ, but no one of front, middle and back is clearly best or worst"),
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
