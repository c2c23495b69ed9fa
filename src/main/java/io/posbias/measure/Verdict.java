package io.posbias.measure;

import java.util.Locale;

/** What a profile says about position, in one word; {@link Direction} has the rule. */
public enum Verdict {
    /** Evidence at the front is found best. */
    PRIMACY("evidence at the front is found best"),
    /** Evidence at the back is found best. */
    RECENCY("evidence at the back is found best"),
    /** Evidence in the middle is found best. */
    MIDDLE("evidence in the middle is found best"),
    /** Evidence in the middle is found worst: lost in the middle. */
    EDGES("evidence in the middle is found worst"),
    /** Positions differ, without a direction. */
    UNEVEN("positions differ, but neither front, middle nor back stands out"),
    /** No difference beyond noise, and noise is small enough to have shown one. */
    NONE("no difference between positions beyond noise"),
    /** No difference beyond noise, but a real one could hide in it. */
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
