package io.posbias.base.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
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

    private static final int LINES = 40;
    private static final int LINE = 4_096;

    /** Exit codes of SIGINT and SIGTERM. */
    private static final Set<Integer> INTERRUPTED = Set.of(130, 143);

    private static final int LOOKS = 25;

    private final Process process;
    private final Closing.Close after;
    private final Shutdown shutdown;
    private final Deque<String> errors = new ArrayDeque<>();
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
        try (Reader read =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            int letter;
            while ((letter = read.read()) >= 0) {
                if (letter == '\n' || letter == '\r') {
                    keep(line.toString());
                    line.setLength(0);
                } else if (line.length() < LINE) {
                    // The rest of a longer line is left out: a line may never end.
                    line.append((char) letter);
                }
            }
            keep(line.toString());
        } catch (IOException closed) {
            // The process has ended.
        }
    }

    private void keep(String line) {
        synchronized (errors) {
            if (!line.isBlank()) {
                errors.add(line);
            }
            if (errors.size() > LINES) {
                errors.remove();
            }
        }
    }

    /** Returns the last lines of the process's standard error, at most 40, without blank ones. */
    public List<String> errors() {
        synchronized (errors) {
            return List.copyOf(errors);
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
