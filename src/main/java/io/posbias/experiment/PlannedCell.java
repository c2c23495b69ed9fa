package io.posbias.experiment;

import org.jspecify.annotations.Nullable;

/**
 * What evaluating a cell takes; what is finished, or has its vectors in the cache, takes nothing.
 *
 * @param state what a run would do with it
 * @param basis where the numbers come from
 * @param passages to encode, each text once for all cells of a model; of rerankers and BM25 those of the corpus
 * @param queries to encode; of rerankers and BM25 those with judgements
 * @param tokens that the model reads; null where no model reads any, or nobody knows
 * @param units of 4,096 passages, or of as many pairs; null where nobody knows
 * @param vectorBytes of vectors on disk
 * @param flops floating-point operations of the model; null where nobody knows
 * @param seconds on one worker; null where nothing was measured
 * @param unitSeconds of its largest unit, likewise
 */
public record PlannedCell(
        String model,
        String dataset,
        String firstStage,
        String state,
        Basis basis,
        double passages,
        double queries,
        @Nullable Double tokens,
        @Nullable Double units,
        double vectorBytes,
        @Nullable Double flops,
        @Nullable Double seconds,
        @Nullable Double unitSeconds) {
    /** Where numbers come from. */
    public enum Basis {
        /** Nothing is to be done. */
        NONE,
        /** The texts, of which some were cut into tokens. */
        TEXTS,
        /** The catalogue: the texts are not here. */
        PUBLISHED,
        /** Neither the texts are here nor did anybody publish how many there are. */
        UNKNOWN
    }

    /** One that takes nothing. */
    static PlannedCell nothing(Cell cell, String state) {
        return empty(cell, state, Basis.NONE, 0.0);
    }

    /** One of which nothing is known. */
    static PlannedCell unknown(Cell cell, String state) {
        return empty(cell, state, Basis.UNKNOWN, null);
    }

    private static PlannedCell empty(Cell cell, String state, Basis basis, @Nullable Double number) {
        return new PlannedCell(
                cell.recipe().name(),
                cell.source().name(),
                cell.firstStage(),
                state,
                basis,
                0,
                0,
                number,
                number,
                0,
                number,
                number,
                number);
    }
}
