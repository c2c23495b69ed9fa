package io.posbias.measure;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.Locale;

/**
 * What a profile says of positions, in one word; {@link Direction} has the rule. Queries at other positions ask for other
 * content, so it names no bias of a model: {@link Bias} does.
 */
public enum Verdict {
    /** Results of earlier versions name directions, which this test cannot. */
    @JsonAlias({"primacy", "recency", "middle", "edges", "uneven"})
    DIFFER("positions differ; whether by position or by content is unknown (eval --content-fixed tells)"),
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
