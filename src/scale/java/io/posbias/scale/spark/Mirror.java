package io.posbias.scale.spark;

import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Problems;
import io.posbias.Session;
import io.posbias.encode.cache.CacheFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A copy of finished cells, vectors and scores on a file system that Hadoop's client reaches, for a driver that starts again on
 * another machine. What is there and not here is brought when it opens; what comes here is copied there once a minute and at the end.
 */
public final class Mirror implements AutoCloseable {
    private static final Duration BEAT = Duration.ofSeconds(10);
    private static final Duration COPY = Duration.ofMinutes(1);

    private final RemoteFolder remote;
    private final List<Mirrored> files;
    private final Session session;
    private final Claim claim;
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2, work -> {
        Thread thread = new Thread(work, "posbias-mirror");
        thread.setDaemon(true);
        return thread;
    });

    private volatile @Nullable PosbiasException lost;

    private Mirror(RemoteFolder remote, List<Mirrored> files, Session session, Claim claim) {
        this.remote = remote;
        this.files = files;
        this.session = session;
        this.claim = claim;
    }

    /**
     * Finished cells.
     *
     * @param root of their folders
     * @param seal the last file of each
     */
    public record Cells(Path root, String seal) {}

    /**
     * Claims the copy and brings what is there.
     *
     * @throws PosbiasException if it cannot be reached, or another driver uses it
     */
    static Mirror open(String address, Configuration settings, Optional<Cells> cells, Session session) {
        return open(address, settings, cells, session, BEAT, COPY);
    }

    /** As above, with other times between signs of life and between copies. */
    static Mirror open(
            String address,
            Configuration settings,
            Optional<Cells> cells,
            Session session,
            Duration beat,
            Duration copy) {
        List<Mirrored> files = new ArrayList<>(List.of(new GrowingFiles(CacheFolders.in(session.home()))));
        cells.ifPresent(own -> files.add(new SealedFolders(own.root, own.seal)));
        return session.step("fetch from " + Printable.cut(address), () -> {
            try {
                RemoteFolder remote = RemoteFolder.at(address, settings);
                Mirror mirror = new Mirror(remote, files, session, Claim.of(remote, beat));
                mirror.start(beat, copy);
                return mirror;
            } catch (PosbiasException known) {
                throw known;
            } catch (IOException | RuntimeException | NoClassDefFoundError refused) {
                throw new PosbiasException(
                        "cannot use --mirror " + Printable.cut(address) + ": " + reason(refused), refused);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new PosbiasException("interrupted", stopped);
            }
        });
    }

    /** A scheme such as s3a is a class of Hadoop's, which needs others, and neither is part of posbias. */
    private static String reason(Throwable refused) {
        return Problems.causes(refused)
                .filter(cause -> cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError)
                .findFirst()
                .map(missing ->
                        Printable.line(String.valueOf(missing.getMessage()).replace('/', '.'))
                                + ": POSBIAS_CLASSPATH takes the jars that its scheme needs, see docs/scale.md")
                .orElseGet(() -> Printable.line(
                        String.valueOf(refused.getMessage()).lines().findFirst().orElse("")));
    }

    private void start(Duration beat, Duration copy) throws IOException {
        every(beat, this::beat);
        try {
            int fetched = 0;
            for (Mirrored some : files) {
                fetched += some.fetch(remote);
            }
            session.say("--mirror " + remote + ": fetched " + fetched
                    + (fetched == 1 ? " file or cell" : " files and cells"));
        } catch (IOException | RuntimeException failure) {
            clock.shutdownNow();
            claim.release();
            throw failure;
        }
        every(copy, this::copy);
    }

    private void every(Duration pause, Runnable work) {
        // Until the clock stops.
        ScheduledFuture<?> unused =
                clock.scheduleWithFixedDelay(work, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void beat() {
        try {
            claim.beat();
        } catch (PosbiasException taken) {
            lose(taken);
        } catch (IOException | RuntimeException later) {
            // The next beat may come through.
        }
    }

    private synchronized void lose(PosbiasException reason) {
        if (lost == null) {
            lost = reason;
            session.say(String.valueOf(reason.getMessage()));
            clock.shutdown();
        }
    }

    private void copy() {
        // A process that slept may be taken for dead since its last beat.
        beat();
        try {
            push();
        } catch (IOException | RuntimeException refused) {
            session.say("--mirror " + remote + ": " + reason(refused) + "; it is tried again");
        }
    }

    private synchronized void push() throws IOException {
        if (lost != null) {
            return;
        }
        for (Mirrored some : files) {
            some.push(remote);
        }
    }

    /** Does the work whose results are copied. */
    public <T> T during(Supplier<T> work) {
        return work.get();
    }

    /**
     * Copies what is left and gives the copy back.
     *
     * @throws PosbiasException if not all of it could be copied; it is here
     */
    @Override
    public void close() {
        clock.shutdown();
        PosbiasException taken = lost;
        if (taken != null) {
            throw taken;
        }
        try {
            claim.check();
            push();
            claim.release();
        } catch (IOException refused) {
            throw new PosbiasException(
                    "not everything is copied to " + remote + ": " + reason(refused)
                            + "; it is here, and the same command copies the rest",
                    refused);
        }
    }
}
