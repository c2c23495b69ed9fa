package io.posbias;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up when the process is interrupted: deletes incomplete files and prints how to continue. Safe for several
 * threads.
 */
public final class Shutdown {
    private static final Set<AutoCloseable> HALF_MADE = ConcurrentHashMap.newKeySet();
    private static final Set<String> KEPT = Collections.synchronizedSet(new LinkedHashSet<>());
    private static final int TRIES = 100;
    private static final int PAUSE_MILLIS = 20;

    private static @Nullable Thread hook;
    private static volatile @Nullable Consumer<String> say;
    private static volatile boolean underWay;
    private static volatile boolean halts;

    private Shutdown() {}

    /** Registers a resource to close when the process ends. */
    public static void close(AutoCloseable halfMade) {
        register();
        HALF_MADE.add(halfMade);
    }

    /** Unregisters a resource. */
    public static void forget(AutoCloseable done) {
        HALF_MADE.remove(done);
    }

    /**
     * Registers output that survives an interruption.
     *
     * @param what for example "vectors in /home/a/.cache/posbias/vectors"
     */
    public static void keeps(String what) {
        KEPT.add(what);
    }

    /**
     * Marks the start of a command; ending before {@link #ended} is an interruption.
     *
     * @param line receives advice on how to continue
     */
    public static void began(Consumer<String> line) {
        say = line;
        register();
    }

    /**
     * Makes an interrupted process halt after closing its resources: a native library that still runs crashes in a
     * normal exit.
     */
    public static void haltsWhenInterrupted() {
        halts = true;
    }

    /** Marks the end of a command. */
    public static void ended() {
        say = null;
    }

    /** True after an interruption: later failures come from deleted files. */
    public static boolean isUnderWay() {
        return underWay;
    }

    private static synchronized void register() {
        if (hook == null && !underWay) {
            Thread thread = new Thread(Shutdown::run, "posbias-shutdown");
            Runtime.getRuntime().addShutdownHook(thread);
            hook = thread;
        }
    }

    private static void run() {
        Consumer<String> told = say;
        underWay = told != null;
        if (told != null) {
            told.accept(line());
        }
        // Threads may write on at this moment: a folder that gets a new file while it is deleted is deleted again.
        for (int i = 0; i < TRIES && !HALF_MADE.isEmpty(); i++) {
            HALF_MADE.forEach(Shutdown::tryClose);
            if (!HALF_MADE.isEmpty() && !pause()) {
                return;
            }
        }
        if (underWay && halts) {
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }

    private static String line() {
        synchronized (KEPT) {
            return KEPT.isEmpty()
                    ? "interrupted; nothing is left behind, and the same command starts again"
                    : "interrupted; kept: " + String.join(", ", KEPT) + "; the same command goes on from there";
        }
    }

    private static void tryClose(AutoCloseable halfMade) {
        try {
            halfMade.close();
        } catch (Exception again) {
            // The next try, or the next run, deletes the rest.
        }
    }

    /** Sleeps briefly; false if the thread is interrupted. */
    static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException stopped) {
            return false;
        }
    }
}
