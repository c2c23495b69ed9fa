package io.posbias.experiment;

import io.posbias.encode.Slots;
import io.posbias.retrieve.BlockCount;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a cell takes.
 *
 * @param passages that are read: encoded, or indexed
 * @param asked how many queries there are
 * @param tokens that models read; null where none reads
 * @param flops floating-point operations of models; null where none reads, or nobody knows how big one is
 * @param vectorBytes of vectors on disk
 * @param stages of the work
 */
record Work(
        double passages,
        double asked,
        @Nullable Double tokens,
        @Nullable Double flops,
        double vectorBytes,
        List<Stage> stages) {
    /** What is done in a stage. */
    enum Kind {
        /** Words are counted, or looked up. */
        WORDS,
        /** Texts get vectors. */
        ENCODE,
        /** Vectors are compared. */
        SEARCH,
        /** Pairs are scored. */
        SCORE
    }

    /**
     * A part of the work.
     *
     * @param ofPassages whether it grows with the passages, whatever is asked
     * @param amount in a unit that stages of its kind and model have in common
     * @param blocks the blocks that workers would be given; null where they cannot do it
     */
    record Stage(
            Kind kind,
            boolean ofPassages,
            double amount,
            @Nullable Function<Slots, BlockCount> blocks) {
        /** The blocks of some workers. */
        BlockCount blocks(Slots slots) {
            return blocks == null ? BlockCount.NONE : blocks.apply(slots);
        }

        /** How long it takes some workers, where one takes so long: no less than the largest block. */
        double seconds(double alone, Slots slots) {
            BlockCount own = blocks(slots);
            return own.blocks() == 0 ? alone : alone * Math.max(1.0 / slots.count(), own.largest());
        }
    }

    /** The work that grows with the passages, in a unit of the cell's own. */
    double index() {
        return stages.stream()
                .filter(Stage::ofPassages)
                .mapToDouble(Stage::amount)
                .sum();
    }

    /** The work that grows with the queries, likewise. */
    double search() {
        return stages.stream()
                .filter(stage -> !stage.ofPassages())
                .mapToDouble(Stage::amount)
                .sum();
    }

    /** How many blocks of a kind there are for some workers. */
    long blocks(Kind kind, Slots slots) {
        return stages.stream()
                .filter(stage -> stage.kind() == kind)
                .mapToLong(stage -> stage.blocks(slots).blocks())
                .sum();
    }

    /** Seconds of the stages on one worker. */
    double seconds(Speed speed) {
        return speed.index() * index() + speed.search() * search();
    }

    /** Seconds of the stages, one after another, on several workers. */
    double seconds(Speed speed, Slots slots) {
        return stages.stream()
                .mapToDouble(stage ->
                        stage.seconds((stage.ofPassages() ? speed.index() : speed.search()) * stage.amount(), slots))
                .sum();
    }
}
