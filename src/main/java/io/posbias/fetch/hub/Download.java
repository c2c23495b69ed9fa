package io.posbias.fetch.hub;

import io.posbias.base.files.Staging;
import io.posbias.base.net.AnswerException;
import io.posbias.base.net.Http;
import io.posbias.base.net.HttpReply;
import io.posbias.base.net.Limits;
import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.ServerText;
import io.posbias.base.net.TooLongException;
import io.posbias.base.net.Transfer;
import io.posbias.base.process.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * One file on its way, from the Hub or from another server. Bytes go to {@code NAME.ETAG.part}, which a later try
 * continues from with a Range request, also after the process was killed; the final name appears when the file is complete
 * and its digest matches. Bytes beyond the announced size are refused.
 */
public final class Download implements Transfer.Try<Path> {
    /** The most that a file may hold whose size only the reply that brings it announces, as of other servers. */
    private static final long MOST = 64L << 30;

    /** Size limit of files without an announced size, which are small. */
    private static final long MOST_UNANNOUNCED = 1L << 30;

    /** A try that brings less than this, and less than a hundredth of the file, counts as having brought nothing. */
    private static final long LEAST = 1 << 20;

    private static final String OTHER_SERVER =
            "Try again later, or name another server: HF_ENDPOINT, POSBIAS_GITHUB, POSBIAS_MAVEN.";
    private static final int BUFFER = 1 << 16;
    private static final int TAG_LETTERS = 12;
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int BEYOND_END = 416;

    private final Downloader web;
    private final String name;
    private final Remote remote;
    private final Path target;
    private final Path part;
    private boolean wrongBefore;
    /** Bytes of the partial file before the last try. */
    private long before;

    /**
     * The Hub's description of a file.
     *
     * @param address address of the content
     * @param commit the commit it belongs to; empty when the Hub does not say
     * @param tag the digest of its content
     * @param size in bytes; -1 when the Hub does not say
     * @param most bytes that are accepted of a file without a size
     * @param from where the file, a part of the server's, begins in it; -1 for a whole file
     */
    public record Remote(URI address, String commit, ETag tag, long size, long most, long from) {
        Remote(URI address, String commit, ETag tag, long size, long most) {
            this(address, commit, tag, size, most, -1);
        }

        Remote(URI address, String commit, ETag tag, long size) {
            this(address, commit, tag, size, MOST);
        }

        Remote from(long place) {
            return new Remote(address, commit, tag, size, most, place);
        }

        /** Returns the header for what is missing behind some bytes. */
        private Map<String, String> range(long kept) {
            String end = from < 0 ? "" : String.valueOf(from + size - 1);
            return from < 0 && kept == 0 ? Map.of() : Map.of("Range", "bytes=" + place(kept) + "-" + end);
        }

        private long place(long kept) {
            return Math.max(from, 0) + kept;
        }
    }

    Download(Downloader web, String name, Remote remote, Path target) {
        this.web = web;
        this.name = name;
        this.remote = remote;
        this.target = target;
        String hex = remote.tag().hex();
        // A server may say anything, and this becomes a file's name.
        String letters = hex.replaceAll("[^A-Za-z0-9-]", "_");
        String suffix = "." + letters.substring(0, Math.min(TAG_LETTERS, letters.length())) + ".part";
        this.part = target.resolveSibling(target.getFileName() + suffix);
    }

    /**
     * Tries until the file is complete or the failure is permanent.
     *
     * @return the file
     * @throws HubException if what arrives is not the file, twice, does not end, or breaks off again and again
     * @throws io.posbias.base.net.RefusedException if the server refuses
     * @throws IOException if the server does not answer or this thread is interrupted; a {@link FileSystemException} if the
     *     file cannot be written
     */
    Path fetch() throws IOException {
        Files.createDirectories(target.getParent());
        // A link would be followed to a file elsewhere, and become the file.
        if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(part);
        }
        try {
            if (remote.size() > 0 && kept() == remote.size() && isRight()) {
                return done();
            }
            return web.transfer().tried(remote.address(), this, (failure, next, pause) -> {});
        } catch (TooLongException tooLong) {
            throw new HubException(
                    name + " is " + tooLong.getMessage()
                            + ", and the server did not say how long; what arrived was deleted",
                    List.of(OTHER_SERVER),
                    tooLong);
        } catch (IOException failure) {
            if (!web.transfer().mayPass(failure, remote.address())) {
                throw failure;
            }
            throw new HubException(
                    "fetching " + name + " failed " + RetryPolicy.TRIES + " times, the last with: "
                            + new HubProblems(web.settings()).reason(failure, remote.address()),
                    List.of("Run the same command again: it continues after the " + kept() + " bytes that arrived."),
                    failure);
        }
    }

    private boolean isContent(HttpReply reply) {
        return reply.status() == OK || reply.status() == BEYOND_END || isContinued(reply);
    }

    private boolean isContinued(HttpReply reply) {
        return reply.status() == PARTIAL
                && reply.header("Content-Range")
                        .filter(range -> range.startsWith("bytes " + remote.place(before) + "-"))
                        .isPresent();
    }

    @Override
    public boolean advanced() throws IOException {
        long least = remote.size() < 0 ? LEAST : Math.clamp(remote.size() / 100, 1, LEAST);
        return kept() - before >= least;
    }

    @Override
    public Path run() throws IOException {
        if (remote.size() >= 0 && kept() >= remote.size()) {
            Files.deleteIfExists(part);
        }
        before = kept();
        Http.Request request = web.settings().request("GET", remote.address(), remote.range(before));
        Limits limits = Limits.ofFile(web.settings().silence(), remote.size() < 0 ? remote.most() : remote.size());
        String label = target.getFileName().toString();
        try (HttpReply reply = web.transfer().send(request, limits, this::isContent);
                Progress.Step step = web.session().progress().start(label, remote.size())) {
            // It ends before what was announced.
            if (reply.status() == BEYOND_END || isOther(reply)) {
                throw wrong();
            }
            receive(reply, step);
        } catch (TooLongException tooLong) {
            if (remote.size() >= 0) {
                throw wrong();
            }
            Files.delete(part);
            throw tooLong;
        } catch (AnswerException | FileSystemException refused) {
            throw refused;
        } catch (IOException broken) {
            if (kept() != remote.size()) {
                throw broken;
            }
        }
        if (kept() < remote.size()) {
            throw AnswerException.forNow("the connection broke");
        }
        if (!isRight()) {
            throw wrong();
        }
        return done();
    }

    private Path done() throws IOException {
        Staging.move(part, target);
        return target;
    }

    /** True for a page of a proxy, or another file: more tries would bring it again. */
    private boolean isOther(HttpReply reply) {
        return reply.status() == OK
                && remote.size() >= 0
                && reply.header("Content-Length")
                        .filter(length -> !length.equals(String.valueOf(remote.size())))
                        .isPresent();
    }

    private void receive(HttpReply reply, Progress.Step step) throws IOException {
        boolean continued = reply.status() == PARTIAL;
        if (continued) {
            step.advance(before);
        }
        StandardOpenOption mode = continued ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        try (OutputStream out =
                Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode)) {
            byte[] buffer = new byte[BUFFER];
            InputStream body = reply.body();
            // A number of bytes that is known is enforced by HTTP or by the request's limit.
            boolean announced =
                    remote.size() >= 0 || reply.header("Content-Length").isPresent();
            long most = Math.min(MOST_UNANNOUNCED, remote.most());
            long left = announced ? Long.MAX_VALUE : most - (continued ? before : 0);
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

    /** Distinguishes a full disk from a broken connection: another try would not help. */
    private void write(OutputStream out, byte[] buffer, int length) throws FileSystemException {
        try {
            out.write(buffer, 0, length);
            web.session().shutdown().keeps("what was downloaded");
        } catch (IOException refused) {
            FileSystemException local = new FileSystemException(part.toString(), null, refused.getMessage());
            local.initCause(refused);
            throw local;
        }
    }

    private boolean isRight() throws IOException {
        return remote.tag().isVerifiable() ? remote.tag().matches(part) : remote.size() < 0 || kept() == remote.size();
    }

    /** Deletes what arrived. Another try may bring the file, once. */
    private AnswerException wrong() throws IOException {
        Files.deleteIfExists(part);
        if (wrongBefore) {
            String digest = ServerText.line(remote.tag().hex(), web.settings().secrets());
            throw new HubException(
                    name + " is not as announced (digest " + digest + "), twice; it was deleted",
                    List.of(OTHER_SERVER),
                    null);
        }
        wrongBefore = true;
        web.session().say(name + " is not as announced; fetching it again");
        return AnswerException.forNow("not as announced");
    }

    long kept() throws IOException {
        return Files.exists(part) ? Files.size(part) : 0;
    }
}
