package io.posbias.base.process;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reports progress of long steps. */
public interface Progress {
    double NANOS = 1e9;

    Progress NONE = (label, total) -> new Step() {
        @Override
        public void advance(long count) {}

        @Override
        public void close() {}
    };

    /**
     * Starts a step.
     *
     * @param label for example "search demo with bm25"
     * @param total number of units, or -1 if unknown
     */
    Step start(String label, long total);

    /** Also prints each step's count and time when it ends. */
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

    /** A running step. Safe for several threads. */
    interface Step extends AutoCloseable {
        void advance(long count);

        @Override
        void close();
    }
}
