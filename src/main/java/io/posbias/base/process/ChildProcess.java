package io.posbias.base.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * A process that posbias starts, with its pipes and the last lines of its standard error. It is ended, with the processes that
 * it started, when this is closed and when posbias ends.
 */
public final class ChildProcess implements AutoCloseable {
    /** Time for an end. */
    public static final int ENDING_MILLIS = 2_000;

    /** In characters. */
    private static final int MOST_ERRORS = 1 << 16;

    /** Exit codes of SIGINT and SIGTERM. */
    private static final Set<Integer> INTERRUPTED = Set.of(130, 143);

    private static final int LOOKS = 25;

    private final Process process;
    private final Closing.Close after;
    private final Shutdown shutdown;
    private final StringBuilder errors = new StringBuilder();
    private final Thread reader;

    private ChildProcess(Process process, Closing.Close after, Shutdown shutdown) {
        this.process = process;
        this.after = after;
        this.shutdown = shutdown;
        this.reader = Thread.ofPlatform().daemon().name("posbias-child-errors").start(this::readErrors);
        shutdown.close(this);
    }

    /**
     * Starts a process.
     *
     * @param after runs after the process's end, and if it cannot be started
     */
    public static ChildProcess start(ProcessBuilder builder, Closing.Close after, Shutdown shutdown)
            throws IOException {
        try {
            return new ChildProcess(builder.start(), after, shutdown);
        } catch (IOException missing) {
            after.close();
            throw missing;
        }
    }

    /** Returns the process's standard input, buffered. */
    public OutputStream to() {
        return process.getOutputStream();
    }

    /** Returns the process's standard output, buffered. */
    public InputStream from() {
        return process.getInputStream();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    private void readErrors() {
        try (Reader read = process.errorReader(StandardCharsets.UTF_8)) {
            char[] more = new char[MOST_ERRORS];
            for (int count = read.read(more); count >= 0; count = read.read(more)) {
                synchronized (errors) {
                    errors.append(more, 0, count).delete(0, Math.max(0, errors.length() - MOST_ERRORS));
                }
            }
        } catch (IOException closed) {
            // The process has ended.
        }
    }

    /** Returns the last lines of the process's standard error, without blank ones. */
    public List<String> errors() {
        synchronized (errors) {
            return errors.toString().lines().filter(line -> !line.isBlank()).toList();
        }
    }

    /**
     * Waits for the end of a process that answers no more, and puts it in words.
     *
     * @param words of an exit code
     */
    public String end(IntFunction<String> words) {
        try {
            boolean over = process.waitFor(ENDING_MILLIS, TimeUnit.MILLISECONDS);
            reader.join(ENDING_MILLIS);
            if (!over) {
                return "it closed its standard output";
            }
            // Ctrl-C ends both processes, perhaps this one first.
            for (int i = 0; i < LOOKS && INTERRUPTED.contains(process.exitValue()) && !shutdown.isUnderWay(); i++) {
                Shutdown.pause();
            }
            return words.apply(process.exitValue());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Ends the process at once. */
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Ends the process: one that does not end by itself when its standard input does is killed after 2 seconds. */
    @Override
    public void close() {
        try {
            if (process.isAlive() && !shutdown.isUnderWay()) {
                to().close();
                process.waitFor(ENDING_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (IOException gone) {
            // It has ended already.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        kill();
        // One that was killed still holds its files for a moment.
        process.onExit()
                .completeOnTimeout(process, ENDING_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        after.close();
        shutdown.forget(this);
    }
}
