package io.posbias.model.encode;

import java.io.Serializable;
import java.util.List;
import java.util.function.Consumer;

/**
 * Worker processes. A block's result is equal to the bit on every worker, so results do not depend on the number of
 * workers, on the division into blocks, or on a block that is repeated after a process was lost. The caller stores
 * each block's result before it submits more.
 */
public interface Workers {
    /** No workers: this process does all work. */
    Workers NONE = new Workers() {
        @Override
        public int slots() {
            return 0;
        }

        @Override
        public <R extends Serializable> void run(String label, List<? extends Block<R>> blocks, Consumer<R> done) {
            throw new IllegalStateException("no workers");
        }
    };

    /** Returns the number of blocks that run at once, as far as known now; 0 without workers. */
    int slots();

    default boolean any() {
        return slots() > 0;
    }

    /**
     * Runs blocks and waits for all.
     *
     * @param label of the job in Spark's pages and in progress, for example "encode 4,096 passages with bge-m3"
     * @param done receives each block's result, in no particular order, one at a time
     * @throws io.posbias.base.process.PosbiasException if a block fails repeatedly; names the smallest failing part
     */
    <R extends Serializable> void run(String label, List<? extends Block<R>> blocks, Consumer<R> done);

    /**
     * Unit of work, and of loss when a worker dies.
     *
     * @param <R> its result, which identifies the block
     */
    interface Block<R extends Serializable> extends Serializable {
        String name();

        /**
         * @param engine of the worker
         * @param last the worker's model
         */
        R run(Engine engine, LastModel last);

        /** Returns this block in its smallest parts, to find a failing one; empty if it cannot be divided. */
        default List<? extends Block<R>> pieces() {
            return List.of();
        }
    }
}
