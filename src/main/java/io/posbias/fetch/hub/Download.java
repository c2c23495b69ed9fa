package io.posbias.fetch.hub;

import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.net.HttpReply;
import io.posbias.base.net.TooLongException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Shutdown;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One file on its way, from the Hub or from another server. Bytes go to {@code NAME.ETAG.part}, which a later try
 * continues from with a Range request, also after the process was killed; the final name appears when the file is complete
 * and its digest matches. Bytes beyond the announced size are refused.
 */
public final class Download {
    /** The most that a file may hold whose size only the reply that brings it announces, as of other servers. */
    private static final long MOST = 64L << 30;

    /** Size limit of files without an announced size, which are small. */
    private static final long MOST_UNANNOUNCED = 1L << 30;

    /** A try that brings less than this, and less than a hundredth of the file, counts as having brought nothing. */
    private static final long LEAST = 1 << 20;

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
    private final Shutdown shutdown;
    /** The reply of a busy server to the last try. */
    private @Nullable HttpReply busy;

    /**
     * The Hub's description of a file.
     *
     * @param address address of the content
     * @param commit the commit it belongs to; empty when the Hub does not say
     * @param tag the digest of its content
     * @param size in bytes; -1 when the Hub does not say
     * @param most bytes that are accepted of a file without a size
     */
    public record Remote(URI address, String commit, ETag tag, long size, long most) {
        Remote(URI address, String commit, ETag tag, long size) {
            this(address, commit, tag, size, MOST);
        }
    }

    /** @param file what errors call it */
    Download(HubRequests requests, Object file, Remote remote, Path target, Shutdown shutdown) {
        this.requests = requests;
        this.file = file;
        this.remote = remote;
        this.target = target;
        this.shutdown = shutdown;
        String hex = remote.tag().hex();
        // A server may say anything, and this becomes a file's name.
        String letters = hex.replaceAll("[^A-Za-z0-9-]", "_");
        String suffix = "." + letters.substring(0, Math.min(TAG_LETTERS, letters.length())) + ".part";
        this.part = target.resolveSibling(target.getFileName() + suffix);
    }

    /** Result of one try. */
    enum Outcome {
        /** The file is complete. */
        DONE,
        /** The connection broke or the Hub is busy; bytes that arrived are kept. */
        BROKEN,
        /** All bytes arrived and are not the file's, or not as many as were announced; they were deleted. */
        WRONG
    }

    /**
     * Tries until the file is complete or the failure is permanent.
     *
     * @param label of the file's progress
     * @param wrong runs when the content was wrong and is downloaded again
     * @return {@code DONE}; {@code WRONG} after the second time; {@code BROKEN} after five tries in a row without a
     *     substantial part of the file
     * @throws HubAnswerException if the server refuses
     * @throws TooLongException if a file of unannounced size does not end; it was deleted
     * @throws IOException if the server does not answer or this thread is interrupted; a {@link FileSystemException} if the file
     *     cannot be written
     */
    Outcome run(Progress progress, String label, Runnable wrong) throws IOException, HubAnswerException {
        Files.createDirectories(target.getParent());
        // A link would be followed to a file elsewhere, and become the file.
        if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(part);
        }
        boolean wrongBefore = false;
        HubRequests.Tries tries = requests.tries();
        while (true) {
            long before = kept();
            busy = null;
            Outcome outcome = attempt(progress, label);
            if (outcome == Outcome.DONE || (outcome == Outcome.WRONG && wrongBefore)) {
                return outcome;
            }
            if (outcome == Outcome.WRONG) {
                wrongBefore = true;
                wrong.run();
            } else if (!(isSubstantial(kept() - before) ? tries.continued(busy) : tries.again(busy))) {
                return outcome;
            }
        }
    }

    private boolean isSubstantial(long arrived) {
        return arrived >= (remote.size() < 0 ? LEAST : Math.clamp(remote.size() / 100, 1, LEAST));
    }

    private Outcome attempt(Progress progress, String label) throws IOException, HubAnswerException {
        try (Progress.Step step = progress.start(label, remote.size())) {
            return attempt(step);
        } catch (FileSystemException refused) {
            throw refused;
        } catch (TooLongException tooLong) {
            Outcome wrong = wrong();
            if (remote.size() < 0) {
                throw tooLong;
            }
            return wrong;
        } catch (IOException broken) {
            if (isHopeless(broken) || Thread.currentThread().isInterrupted()) {
                throw broken;
            }
            return Outcome.BROKEN;
        }
    }

    /** Returns true for failures that another try would not change: an unknown host, no server. */
    static boolean isHopeless(IOException broken) {
        return IoErrors.isUnknownHost(broken) || IoErrors.causes(broken).anyMatch(ConnectException.class::isInstance);
    }

    private Outcome attempt(Progress.Step step) throws IOException, HubAnswerException {
        if (remote.size() >= 0 && kept() > remote.size()) {
            Files.delete(part);
        }
        long have = kept();
        if (have == 0 || have != remote.size()) {
            Map<String, String> range = have == 0 ? Map.of() : Map.of("Range", "bytes=" + have + "-");
            try (HttpReply reply =
                    requests.get(remote.address(), range, remote.size() < 0 ? remote.most() : remote.size())) {
                if (HubRequests.isPassing(reply.status())) {
                    busy = reply;
                    return Outcome.BROKEN;
                }
                // It ends before what was announced.
                if (reply.status() == BEYOND_END || isOther(reply)) {
                    return wrong();
                }
                receive(reply, have, step);
            }
        }
        return finish();
    }

    /** True for a page of a proxy, or another file: more tries would bring it again. */
    private boolean isOther(HttpReply reply) {
        return reply.status() == OK
                && remote.size() >= 0
                && reply.header("Content-Length")
                        .filter(length -> !length.equals(String.valueOf(remote.size())))
                        .isPresent();
    }

    private void receive(HttpReply reply, long have, Progress.Step step) throws IOException, HubAnswerException {
        boolean continued = reply.status() == PARTIAL && startsAt(reply, have);
        if (reply.status() != OK && !continued) {
            throw new HubAnswerException(file, reply);
        }
        if (continued) {
            step.advance(have);
        }
        StandardOpenOption mode = continued ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        try (OutputStream out =
                Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode)) {
            byte[] buffer = new byte[BUFFER];
            InputStream body = reply.body();
            long most = Math.min(MOST_UNANNOUNCED, remote.most());
            long left = isAnnounced(reply) ? Long.MAX_VALUE : most - (continued ? have : 0);
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                left -= read;
                if (left < 0) {
                    throw new TooLongException(most);
                }
                write(out, buffer, read);
                step.advance(read);
            }
        }
    }

    /** Returns true if the number of bytes is known and is enforced by HTTP or by the request's limit. */
    private boolean isAnnounced(HttpReply reply) {
        return remote.size() >= 0 || reply.header("Content-Length").isPresent();
    }

    /** Distinguishes a full disk from a broken connection: another try would not help. */
    private void write(OutputStream out, byte[] buffer, int length) throws FileSystemException {
        try {
            out.write(buffer, 0, length);
            shutdown.keeps("what was downloaded");
        } catch (IOException refused) {
            FileSystemException local = new FileSystemException(part.toString(), null, refused.getMessage());
            local.initCause(refused);
            throw local;
        }
    }

    private static boolean startsAt(HttpReply reply, long offset) {
        return reply.header("Content-Range")
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
            return wrong();
        }
        Staging.move(part, target);
        return Outcome.DONE;
    }

    private Outcome wrong() throws IOException {
        Files.deleteIfExists(part);
        return Outcome.WRONG;
    }

    /** Bytes of the partial file on disk. */
    long kept() throws IOException {
        return Files.exists(part) ? Files.size(part) : 0;
    }
}
