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
 * Prints the innermost running step to stderr: on a terminal after two seconds, in a line that changes and is cleared before
 * anything else is printed, otherwise every ten seconds.
 */
public final class ProgressLines implements Progress {
    private static final long FIRST = TimeUnit.SECONDS.toNanos(2);
    private static final long EVERY = TimeUnit.SECONDS.toNanos(10);
    private static final long REFRESH_MILLIS = 200;
    /** Characters from here on are taken to be two columns wide, like Chinese ones; some are narrower. */
    private static final int WIDE = 0x1100;

    private static final int MINUTE = 60;
    private static final int HOUR = 60 * MINUTE;

    private final boolean terminal;
    /** Columns of a line; one less than the terminal has, because some break a full line. */
    private final int columns;

    private final Consumer<String> out;
    private final LongSupplier clock;
    private final List<Running> steps = new ArrayList<>();
    private @Nullable Thread ticker;
    private long shown;
    private boolean onScreen;
    private boolean ended;

    /**
     * @param width of the terminal in columns
     * @param out receives text with line breaks
     * @param clock nanoseconds
     */
    ProgressLines(boolean terminal, int width, Consumer<String> out, LongSupplier clock) {
        this.terminal = terminal;
        this.columns = width - 1;
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

        /** For example "search with bm25: 1,200 of 9,600 (12%), 35 s, 4 min left". */
        String line() {
            long count = done.get();
            double seconds = (clock.getAsLong() - began) / NANOS;
            String part = total > 0
                    ? String.format(Locale.ROOT, ": %,d of %,d (%d%%)", count, total, 100 * count / total)
                    : count > 0 ? String.format(Locale.ROOT, ": %,d", count) : "";
            String left = count > 0 && count < total ? ", " + time(seconds * (total - count) / count) + " left" : "";
            String end = part + ", " + (long) seconds + " s" + left;
            return cut(cut(Printable.of(label), columns - width(end)) + end, columns);
        }
    }

    private static String time(double seconds) {
        return seconds < 2 * MINUTE
                ? Math.round(seconds) + " s"
                : seconds < 2 * HOUR ? Math.round(seconds / MINUTE) + " min" : Math.round(seconds / HOUR) + " h";
    }

    private static int width(String text) {
        return text.codePoints().map(ProgressLines::width).sum();
    }

    private static int width(int character) {
        return character == '…' || character < WIDE ? 1 : 2;
    }

    private static String cut(String text, int most) {
        if (width(text) <= most) {
            return text;
        }
        StringBuilder cut = new StringBuilder();
        int room = most - 1;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            room -= width(text.codePointAt(at));
            if (room < 0) {
                break;
            }
            cut.appendCodePoint(text.codePointAt(at));
        }
        return most > 0 ? cut + "…" : "";
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

    public synchronized void say(String line) {
        if (!ended) {
            clear();
            out.accept(line + System.lineSeparator());
        }
    }

    /** Prints the last line of an interrupted process. */
    public synchronized void last(String line) {
        say(line);
        ended = true;
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
        if (ended || steps.isEmpty() || now - steps.getFirst().began < (terminal ? FIRST : EVERY)) {
            return;
        }
        if (terminal) {
            out.accept(blank() + steps.getLast().line());
            onScreen = true;
        } else if (now - shown >= EVERY) {
            out.accept(steps.getLast().line() + System.lineSeparator());
            shown = now;
        }
    }

    /** Removes the line from the terminal, before something else is printed. */
    public synchronized void clear() {
        if (onScreen) {
            out.accept(blank());
            onScreen = false;
        }
    }

    private String blank() {
        return "\r" + " ".repeat(columns) + "\r";
    }
}
