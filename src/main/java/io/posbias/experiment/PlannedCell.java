package io.posbias.experiment;

import io.posbias.encode.Slots;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What evaluating a cell takes; what is finished, or has its vectors in the cache, takes nothing.
 *
 * @param state what a run would do with it
 * @param basis where the numbers come from
 * @param passages to encode, or what strategies make of them, each text once for all cells; where no model encodes, those of
 *     the corpus
 * @param queries to answer
 * @param tokens that the model reads; null where no model reads any, or nobody knows
 * @param blocks that Spark would be given; null where nobody knows, and without Spark
 * @param vectorBytes of vectors on disk
 * @param flops floating-point operations of the model; null where nobody knows
 * @param seconds on one worker; null where nothing was measured
 * @param onWorkers seconds on each number of Spark's workers that was asked for; empty where nothing was measured, and
 *     without Spark
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
        @Nullable Blocks blocks,
        double vectorBytes,
        @Nullable Double flops,
        @Nullable Double seconds,
        List<Double> onWorkers) {
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

    /**
     * Pieces of work that executors are given.
     *
     * @param encode of texts
     * @param search of queries and passages whose vectors are compared
     * @param score of pairs
     */
    public record Blocks(long encode, long search, long score) {
        private static final Blocks NONE = new Blocks(0, 0, 0);

        static Blocks of(Work work, Slots slots) {
            return new Blocks(
                    work.blocks(Work.Kind.ENCODE, slots),
                    work.blocks(Work.Kind.SEARCH, slots),
                    work.blocks(Work.Kind.SCORE, slots));
        }

        long all() {
            return encode + search + score;
        }
    }

    /** Copies the list. */
    public PlannedCell {
        onWorkers = List.copyOf(onWorkers);
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
                number == null ? null : Blocks.NONE,
                0,
                number,
                number,
                List.of());
    }
}
