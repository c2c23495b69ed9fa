package io.posbias.base.process;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up when a session's process is interrupted: deletes incomplete files and prints how to continue. Safe for
 * several threads.
 */
public final class Shutdown {
    private static final int TRIES = 100;
    private static final int PAUSE_MILLIS = 20;

    private final Set<AutoCloseable> halfMade = ConcurrentHashMap.newKeySet();
    private final Set<String> kept = Collections.synchronizedSet(new LinkedHashSet<>());
    /** The virtual machine knows it while there is something to do. */
    private @Nullable Thread hook;

    private volatile @Nullable Consumer<String> say;
    private volatile boolean underWay;

    /** Registers a resource to close when the process ends. */
    public void close(AutoCloseable resource) {
        halfMade.add(resource);
        settle();
    }

    /** Unregisters a resource. */
    public void forget(AutoCloseable done) {
        halfMade.remove(done);
        settle();
    }

    /**
     * Registers output that survives an interruption.
     *
     * @param what for example "vectors in /home/a/.cache/posbias/vectors"
     */
    public void keeps(String what) {
        kept.add(what);
    }

    /**
     * Marks the start of a command; ending before {@link #ended} is an interruption.
     *
     * @param line receives advice on how to continue
     */
    public void began(Consumer<String> line) {
        say = line;
        settle();
    }

    /** Marks the end of a command. */
    public void ended() {
        say = null;
        settle();
    }

    /** True after an interruption: later failures come from deleted files. */
    public boolean isUnderWay() {
        return underWay;
    }

    private synchronized void settle() {
        boolean needed = say != null || !halfMade.isEmpty();
        Thread known = hook;
        try {
            if (needed && known == null) {
                Thread thread = new Thread(this::run, "posbias-shutdown");
                Runtime.getRuntime().addShutdownHook(thread);
                hook = thread;
            } else if (!needed && known != null) {
                Runtime.getRuntime().removeShutdownHook(known);
                hook = null;
            }
        } catch (IllegalStateException ending) {
            // The process ends already: what it still makes is left to the next one.
        }
    }

    private void run() {
        Consumer<String> told = say;
        underWay = told != null;
        if (told != null) {
            told.accept(line());
        }
        // Threads may write on at this moment: a folder that gets a new file while it is deleted is deleted again.
        for (int i = 0; i < TRIES && !halfMade.isEmpty(); i++) {
            halfMade.forEach(Shutdown::tryClose);
            if (!halfMade.isEmpty() && !pause()) {
                return;
            }
        }
    }

    private String line() {
        synchronized (kept) {
            return kept.isEmpty()
                    ? "interrupted; nothing is left behind, and the same command starts again"
                    : "interrupted; kept: " + String.join(", ", kept) + "; the same command goes on from there";
        }
    }

    private static void tryClose(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception again) {
            // The next try, or the next run, deletes the rest.
        }
    }

    /** Sleeps briefly; false if the thread is interrupted. */
    public static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException stopped) {
            return false;
        }
    }
}
