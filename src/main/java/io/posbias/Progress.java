package io.posbias;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** How a long step tells what it has done; the front door decides whether and where that is shown. */
public interface Progress {
    /** Nanoseconds of a second. */
    double NANOS = 1e9;

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

    /**
     * The same, and of each step it is said when it ends how much was done and how long it took.
     *
     * @param say takes lines
     * @param clock nanoseconds
     */
    default Progress saying(Consumer<String> say, LongSupplier clock) {
        return (label, total) -> {
            Step step = start(label, total);
            long began = clock.getAsLong();
            AtomicLong done = new AtomicLong();
            return new Step() {
                @Override
                public void advance(long count) {
                    done.addAndGet(count);
                    step.advance(count);
                }

                @Override
                public void close() {
                    step.close();
                    String count = done.get() > 0 ? String.format(Locale.ROOT, "%,d in ", done.get()) : "";
                    say.accept(label + ": " + count
                            + String.format(Locale.ROOT, "%.2f s", (clock.getAsLong() - began) / NANOS));
                }
            };
        };
    }

    /** A step under way. Safe for several threads. */
    interface Step extends AutoCloseable {
        /** Says that {@code count} more units are done. */
        void advance(long count);

        @Override
        void close();
    }
}
