package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.LockFile;
import io.posbias.base.files.Staging;
import io.posbias.base.net.Http;
import io.posbias.base.net.RefusedException;
import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.Transfer;
import io.posbias.base.net.Unreachable;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Downloads files, of the Hub or of other servers. What has arrived is kept and continued, a file with a digest is compared
 * with it. Only requests to the Hub carry its token.
 */
public record Downloader(HubSettings settings, Transfer transfer, Session session) {
    private static final int MD5_LENGTH = 32;

    public Downloader(HubSettings settings, Session session) {
        this(
                settings,
                new Transfer(new Http(Map.of()), new RetryPolicy(settings.silence(), settings.patience(), false)),
                session);
    }

    /**
     * Does work while holding the lock {@code .NAME.lock} beside a folder, waiting first while another process holds it.
     *
     * @param name what is pulled, for messages
     * @throws PosbiasException if this process holds the lock already, or the lock's file cannot be written
     */
    public static <T> T alone(Path folder, String name, Session session, Supplier<T> work) {
        LockFile lock = lock(folder, name, session);
        try (lock) {
            return work.get();
        }
    }

    /**
     * Does work as {@link #alone} and deletes what it downloaded, also that of a process that was killed before it did so. After an
     * error downloads stay for the next try.
     */
    public static <T> T alone(Path folder, Path downloads, String name, Session session, Supplier<T> work) {
        return alone(folder, name, session, () -> {
            T made = work.get();
            Staging.delete(downloads);
            return made;
        });
    }

    private static LockFile lock(Path folder, String name, Session session) {
        try {
            return LockFile.hold(
                    folder.resolveSibling("." + folder.getFileName() + ".lock"), "pulling " + name, session);
        } catch (IOException refused) {
            throw IoErrors.kept(folder, refused);
        }
    }

    /**
     * Makes a file of another server than the Hub available.
     *
     * @param name the file and its server, for messages
     * @param folder where it goes, under the last part of its address
     * @throws HubException if it cannot be had
     */
    public Path fetch(String name, WebFile file, Path folder) {
        return fetchTo(name, file, FileNames.directlyIn(folder, file.name()));
    }

    Path fetchTo(String name, WebFile file, Path target) {
        Path folder = Objects.requireNonNull(target.getParent());
        ETag tag = new ETag(
                file.digest().isEmpty()
                        ? "unverified"
                        : file.digest().length() == MD5_LENGTH ? ETag.MD5 + file.digest() : file.digest());
        try {
            // Without a digest a file of the final name is whole all the same: it got that name last.
            if (Files.isRegularFile(target) && (file.digest().isEmpty() || tag.isOf(target))) {
                return target;
            }
            if (settings.offline()) {
                throw problem(name + " is not on disk, and HF_HUB_OFFLINE forbids downloads", null);
            }
            session.say("fetching " + name + size(file.bytes()));
            Download.Remote remote = new Download.Remote(file.address(), "", tag, file.bytes()).from(file.from());
            return new Download(this, name, remote, target).fetch();
        } catch (RefusedException refused) {
            throw problem(name + ": the server " + refused.problem(), refused);
        } catch (FileSystemException refused) {
            throw IoErrors.kept(folder, refused);
        } catch (IOException unreachable) {
            String reason = new HubProblems(settings).reason(unreachable, file.address());
            throw problem(name + " cannot be reached (" + reason + ")", unreachable);
        }
    }

    private static HubException problem(String what, @Nullable Exception cause) {
        return new HubException(what, List.of(Unreachable.NO_NETWORK), cause);
    }

    /** @throws PosbiasException if a folder's disk has no room for so many more bytes */
    static void checkRoom(String name, long bytes, Path folder) {
        long free;
        try {
            free = Files.getFileStore(Files.createDirectories(folder)).getUsableSpace();
        } catch (IOException refused) {
            throw IoErrors.kept(folder, refused);
        }
        if (bytes > free) {
            throw new PosbiasException(name + " needs " + mebibytes(bytes) + " in " + folder + ", and there are "
                    + (free >> 20) + " MiB free; POSBIAS_HOME=DIR sets another folder for what posbias keeps");
        }
    }

    static String mebibytes(long bytes) {
        return Math.ceilDiv(bytes, 1 << 20) + " MiB";
    }

    static String size(long bytes) {
        return bytes < 0 ? "" : " (" + mebibytes(bytes) + ")";
    }
}
