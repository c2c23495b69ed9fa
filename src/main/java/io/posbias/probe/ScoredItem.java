package io.posbias.probe;

import org.jspecify.annotations.Nullable;

/**
 * An item with its scores.
 *
 * @param item what was scored
 * @param score1 of the query and the first text
 * @param score2 of the query and the second; null where there is none
 */
public record ScoredItem(
        ProbeItem item, double score1, @Nullable Double score2) {
    /** The score of the second text, which must be there. */
    double second() {
        if (score2 == null) {
            throw new IllegalArgumentException("item " + item.id() + " has one score");
        }
        return score2;
    }
}
