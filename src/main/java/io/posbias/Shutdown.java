package io.posbias;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is left to do when the process ends before its work is done, by Ctrl-C or another signal: delete what is half made,
 * and say how to go on. Safe for several threads.
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

    /** Closes something when the process ends, unless that is {@link #forget forgotten} before. */
    static void close(AutoCloseable halfMade) {
        register();
        HALF_MADE.add(halfMade);
    }

    /** Something is done or closed. */
    static void forget(AutoCloseable done) {
        HALF_MADE.remove(done);
    }

    /**
     * Remembers what stays when the process is interrupted, so that the same command goes on from there.
     *
     * @param what for example "vectors in /home/a/.cache/posbias/vectors"
     */
    public static void keeps(String what) {
        KEPT.add(what);
    }

    /**
     * A command begins: from now on an end that nobody {@link #ended announced} is an interruption.
     *
     * @param line takes the line on how to go on
     */
    public static void began(Consumer<String> line) {
        say = line;
        register();
    }

    /**
     * From now on an interrupted process ends as soon as all is closed. A native library whose code still runs while its own
     * globals are destroyed, on the usual way out, crashes there.
     */
    public static void haltsWhenInterrupted() {
        halts = true;
    }

    /** The command is done, with success or without; what was half made is closed, and nothing is said. */
    public static void ended() {
        say = null;
    }

    /** Whether the process was interrupted: what fails from now on fails because its files are being deleted. */
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

    /** Waits a moment; false where this thread is interrupted. */
    static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException stopped) {
            return false;
        }
    }
}
