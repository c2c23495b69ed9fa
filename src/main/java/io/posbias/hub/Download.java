package io.posbias.hub;

import io.posbias.Progress;
import io.posbias.Staging;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One file on its way, from the Hub or from another server. Bytes go to {@code NAME.ETAG.part}, which a later try continues from with a Range request, also
 * after the process was killed; the final name appears when all bytes are there and their digest is right.
 */
final class Download {
    private static final Duration STALLED = Duration.ofSeconds(60);
    private static final int BUFFER = 1 << 16;
    private static final int TAG_LETTERS = 12;
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int BEYOND_END = 416;

    private final HubRequests requests;
    private final Object file;
    private final Remote remote;
    private final Path target;
    private final Path part;

    /**
     * What the Hub says of a file.
     *
     * @param address where its content is asked for
     * @param commit the commit it belongs to; empty when the Hub does not say
     * @param tag the digest of its content
     * @param size in bytes; -1 when the Hub does not say
     */
    record Remote(URI address, String commit, ETag tag, long size) {}

    /** @param file what errors call it */
    Download(HubRequests requests, Object file, Remote remote, Path target) {
        this.requests = requests;
        this.file = file;
        this.remote = remote;
        this.target = target;
        String hex = remote.tag().hex();
        String suffix = "." + hex.substring(0, Math.min(TAG_LETTERS, hex.length())) + ".part";
        this.part = target.resolveSibling(target.getFileName() + suffix);
    }

    /** How one try ended. */
    enum Outcome {
        /** The file is there. */
        DONE,
        /** The connection broke or the Hub is busy; bytes that arrived are kept. */
        BROKEN,
        /** All bytes arrived and are not the file's; they were deleted. */
        WRONG
    }

    /**
     * One try.
     *
     * @throws HubAnswerException if the Hub refuses
     */
    Outcome attempt(Progress.Step step, int attempt) throws IOException, HubAnswerException {
        Files.createDirectories(target.getParent());
        long have = Files.exists(part) ? Files.size(part) : 0;
        if (remote.size() >= 0 && have > remote.size()) {
            Files.delete(part);
            have = 0;
        }
        if (have == 0 || have != remote.size()) {
            Map<String, String> range = have == 0 ? Map.of() : Map.of("Range", "bytes=" + have + "-");
            HttpResponse<InputStream> response = requests.get(remote.address(), range);
            try (InputStream body = response.body()) {
                if (HubRequests.isPassing(response.statusCode())) {
                    requests.pause(attempt, response);
                    return Outcome.BROKEN;
                }
                if (response.statusCode() == BEYOND_END) {
                    Files.delete(part);
                    return Outcome.BROKEN;
                }
                receive(response, body, have, step);
            }
        }
        return finish();
    }

    private void receive(HttpResponse<InputStream> response, InputStream body, long have, Progress.Step step)
            throws IOException, HubAnswerException {
        boolean continued = response.statusCode() == PARTIAL && startsAt(response, have);
        if (response.statusCode() != OK && !continued) {
            throw new HubAnswerException(file, response);
        }
        if (continued) {
            step.advance(have);
        }
        StandardOpenOption mode = continued ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        AtomicLong lastRead = new AtomicLong(System.nanoTime());
        Timer watch = watch(body, lastRead);
        try (OutputStream out =
                Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode)) {
            byte[] buffer = new byte[BUFFER];
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                lastRead.set(System.nanoTime());
                write(out, buffer, read);
                step.advance(read);
            }
        } finally {
            watch.cancel();
        }
    }

    /** A full disk is no broken connection: no further try helps. */
    private void write(OutputStream out, byte[] buffer, int length) throws FileSystemException {
        try {
            out.write(buffer, 0, length);
        } catch (IOException refused) {
            FileSystemException local = new FileSystemException(part.toString(), null, refused.getMessage());
            local.initCause(refused);
            throw local;
        }
    }

    /** Closes a body from which nothing came for a while, so that reading it fails instead of waiting for ever. */
    private static Timer watch(InputStream body, AtomicLong lastRead) {
        Timer timer = new Timer("posbias-download-watch", true);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        if (System.nanoTime() - lastRead.get() > STALLED.toNanos()) {
                            try {
                                body.close();
                            } catch (IOException closedAnyway) {
                                cancel();
                            }
                        }
                    }
                },
                STALLED.toMillis(),
                STALLED.toMillis() / 4);
        return timer;
    }

    private static boolean startsAt(HttpResponse<?> response, long offset) {
        return response.headers()
                .firstValue("Content-Range")
                .map(range -> range.startsWith("bytes " + offset + "-"))
                .orElse(false);
    }

    private Outcome finish() throws IOException {
        if (remote.size() >= 0 && Files.size(part) < remote.size()) {
            return Outcome.BROKEN;
        }
        boolean right = remote.tag().isVerifiable()
                ? remote.tag().matches(part)
                : remote.size() < 0 || Files.size(part) == remote.size();
        if (!right) {
            Files.delete(part);
            return Outcome.WRONG;
        }
        Staging.move(part, target);
        return Outcome.DONE;
    }

    /** How many bytes have arrived and are kept. */
    long kept() throws IOException {
        return Files.exists(part) ? Files.size(part) : 0;
    }
}
