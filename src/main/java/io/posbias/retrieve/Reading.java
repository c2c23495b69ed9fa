package io.posbias.retrieve;

import org.jspecify.annotations.Nullable;

/**
 * What a retriever reads of a benchmark, which its work grows with.
 *
 * @param unit of the work
 * @param depth candidates of each query, where pairs are read; else 0
 * @param firstStage the recipe that finds the candidates; null where there is none
 */
public record Reading(Unit unit, int depth, @Nullable Recipe firstStage) {
    /** What a model, or none, reads at once. */
    public enum Unit {
        /** Words are counted: no model reads. */
        WORDS,
        /** Every passage is read once, whatever is asked, and every query once. */
        TEXTS,
        /** Every candidate is read together with its query. */
        PAIRS
    }
}
