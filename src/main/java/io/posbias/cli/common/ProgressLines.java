package io.posbias.cli.common;

import io.posbias.base.process.Progress;
import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints the innermost running step to stderr: on a terminal after two seconds, in a line that changes, otherwise every
 * ten seconds.
 */
final class ProgressLines implements Progress {
    private static final long FIRST = TimeUnit.SECONDS.toNanos(2);
    private static final long EVERY = TimeUnit.SECONDS.toNanos(10);
    private static final long REFRESH_MILLIS = 200;
    private static final int COLUMNS = 79;
    private static final String CLEAR = "\r" + " ".repeat(COLUMNS) + "\r";

    private final boolean terminal;
    private final Consumer<String> out;
    private final LongSupplier clock;
    private final List<Running> steps = new ArrayList<>();
    private @Nullable Thread ticker;
    private long shown;
    private boolean onScreen;

    /**
     * @param out receives text with line breaks
     *
     * @param clock nanoseconds
     */
    ProgressLines(boolean terminal, Consumer<String> out, LongSupplier clock) {
        this.terminal = terminal;
        this.out = out;
        this.clock = clock;
        this.shown = clock.getAsLong() - EVERY;
    }

    private final class Running implements Step {
        private final String label;
        private final long total;
        private final long began = clock.getAsLong();
        private final AtomicLong done = new AtomicLong();

        Running(String label, long total) {
            this.label = label;
            this.total = total;
        }

        @Override
        public void advance(long count) {
            done.addAndGet(count);
        }

        @Override
        public void close() {
            end(this);
        }

        /** For example "search with bm25: 1,200 of 9,600 (12%), 35 s". */
        String line() {
            long count = done.get();
            String part = total > 0
                    ? String.format(Locale.ROOT, ": %,d of %,d (%d%%)", count, total, 100 * count / total)
                    : count > 0 ? String.format(Locale.ROOT, ": %,d", count) : "";
            String end = part + ", " + TimeUnit.NANOSECONDS.toSeconds(clock.getAsLong() - began) + " s";
            int room = Math.max(0, COLUMNS - end.length());
            String name = Printable.of(label);
            return (name.length() > room ? name.substring(0, Math.max(0, room - 1)) + "…" : name) + end;
        }
    }

    @Override
    public synchronized Step start(String label, long total) {
        Running step = new Running(label, total);
        steps.add(step);
        if (ticker == null) {
            ticker = Thread.ofPlatform().daemon().name("posbias-progress").start(this::tick);
        }
        return step;
    }

    synchronized void say(String line) {
        clear();
        out.accept(line + System.lineSeparator());
    }

    private synchronized void end(Running step) {
        steps.remove(step);
        if (steps.isEmpty()) {
            clear();
        }
    }

    private void tick() {
        try {
            while (true) {
                Thread.sleep(REFRESH_MILLIS);
                show();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void show() {
        long now = clock.getAsLong();
        if (steps.isEmpty() || now - steps.getFirst().began < (terminal ? FIRST : EVERY)) {
            return;
        }
        if (terminal) {
            out.accept(CLEAR + steps.getLast().line());
            onScreen = true;
        } else if (now - shown >= EVERY) {
            out.accept(steps.getLast().line() + System.lineSeparator());
            shown = now;
        }
    }

    private void clear() {
        if (onScreen) {
            out.accept(CLEAR);
            onScreen = false;
        }
    }
}
