package io.posbias.encode;

import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;

/**
 * Other processes that work for this one. What comes of a block is the same to the bit wherever it is done, so that results
 * do not depend on how many workers there are, on how work is cut into blocks, or on a block that is done twice because its
 * process was lost. Whoever has blocks keeps what comes of each before it asks for more.
 */
public interface Workers {
    /** There are none: this process does everything itself. */
    Workers NONE = new Workers() {
        @Override
        public int slots() {
            return 0;
        }

        @Override
        public <R extends Serializable> void run(String label, List<? extends Block<R>> blocks, Consumer<R> done) {
            throw new IllegalStateException("there are no workers");
        }
    };

    /** How many blocks are done at once, as far as that is known now; 0 where there are no workers. */
    int slots();

    /** Whether work can be given away. */
    default boolean any() {
        return slots() > 0;
    }

    /**
     * Has blocks done and waits for all.
     *
     * @param label what people see of them, such as "encode 4,096 passages with bge-m3"
     * @param done takes what came of each block, in no particular order, one at a time
     * @throws io.posbias.PosbiasException if a block failed however often it was tried, naming the smallest piece of it
     */
    <R extends Serializable> void run(String label, List<? extends Block<R>> blocks, Consumer<R> done);

    /**
     * As much work as may be lost.
     *
     * @param <R> what comes of it, which says itself what it is of
     */
    interface Block<R extends Serializable> extends Serializable {
        /** What errors call it. */
        String name();

        /**
         * Does it.
         *
         * @param engine of the process that it is done in
         */
        R run(Engine engine);

        /** The same work in the smallest pieces, to find the one that cannot be done; empty where it is one already. */
        default List<? extends Block<R>> pieces() {
            return List.of();
        }
    }
}
