package io.posbias;

/** How a long step tells what it has done; the front door decides whether and where that is shown. */
public interface Progress {
    /** Shows nothing. */
    Progress NONE = (label, total) -> new Step() {
        @Override
        public void advance(long count) {}

        @Override
        public void close() {}
    };

    /**
     * Begins a step.
     *
     * @param label what is done, for example "search demo with bm25"
     * @param total how many units there are, or -1 when nobody knows
     */
    Step start(String label, long total);

    /** A step under way. Safe for several threads. */
    interface Step extends AutoCloseable {
        /** Says that {@code count} more units are done. */
        void advance(long count);

        @Override
        void close();
    }
}
