package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A file lock that lasts at most as long as the process: the operating system releases it however the process ends,
 * also across containers and hosts (POSIX {@code fcntl}, where the file system supports it). <p>The holder deletes
 * the file. A waiting process would then lock a deleted file, so each new holder checks that the name still leads to
 * the locked file, and retries if not. <p>Safe for several threads.
 */
public final class LockFile implements Closeable {
    /**
     * Prefix of system properties that name the files which this process has locked. POSIX drops all locks of a file when
     * the process closes any channel to it, so a process opens each file once, whatever sessions and class loaders it has.
     */
    private static final String OWN = "io.posbias.lock:";

    private static final long PAUSE_NANOS = 10_000_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final FileChannel channel;

    private LockFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Returns sixteen random hexadecimal digits. */
    public static String random() {
        return HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    /**
     * Locks a file, creating it and its folder.
     *
     * @return empty if it is locked already
     * @throws IOException if the file cannot be created, is a symbolic link, or its file system has no locks
     */
    public static Optional<LockFile> tryHold(Path file) throws IOException {
        return Optional.ofNullable(open(file, null));
    }

    /**
     * Locks a file, waiting for other processes.
     *
     * @param doing what the lock is for, in messages: "writing results"
     * @throws PosbiasException if this process holds the lock
     */
    public static LockFile hold(Path file, String doing, Session session) throws IOException {
        LockFile held = open(file, () -> session.say("waiting for another posbias, which is " + doing));
        if (held == null) {
            throw new PosbiasException(
                    "this posbias is " + doing + " already; nothing was changed: wait for its end, and try again");
        }
        return held;
    }

    /** Returns true if a process, also this one, has locked a file. */
    public static boolean isHeld(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Optional<LockFile> free = tryHold(file);
        free.ifPresent(LockFile::close);
        return free.isEmpty();
    }

    /** Locks a file, waiting for other processes and for other threads of this one. */
    public static LockFile holdAmongThreads(Path file) throws IOException {
        LockFile held = open(file, () -> {});
        while (held == null) {
            LockSupport.parkNanos(PAUSE_NANOS);
            held = open(file, () -> {});
        }
        return held;
    }

    private static @Nullable LockFile open(Path file, @Nullable Runnable waiting) throws IOException {
        Files.createDirectories(
                Objects.requireNonNull(file.toAbsolutePath().normalize().getParent()));
        Path path = real(file);
        if (System.getProperties().putIfAbsent(OWN + path, "") != null) {
            return null;
        }
        LockFile taken = null;
        try {
            taken = take(path, waiting);
            return taken;
        } finally {
            if (taken == null) {
                System.getProperties().remove(OWN + path);
            }
        }
    }

    private static @Nullable LockFile take(Path path, @Nullable Runnable waiting) throws IOException {
        Runnable next = waiting;
        while (true) {
            try {
                create(path);
                Object key = key(path);
                FileChannel channel = locked(path, next);
                next = next == null ? null : () -> {};
                if (channel == null) {
                    return null;
                }
                if (isStill(path, key)) {
                    return new LockFile(path, channel);
                }
                channel.close();
            } catch (NoSuchFileException deleted) {
                // By the process that held it until now.
            }
        }
    }

    private static void create(Path path) throws IOException {
        try {
            // Its folder may have gone with its last holder.
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.createFile(path);
        } catch (FileAlreadyExistsException there) {
            // Held, or left by a process that was killed.
        }
    }

    private static boolean isStill(Path path, @Nullable Object key) throws IOException {
        try {
            return Objects.equals(key, key(path));
        } catch (NoSuchFileException deleted) {
            return false;
        }
    }

    /** The file's identity; null where the platform has none. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Opens and locks a file; null while another process holds it. */
    private static @Nullable FileChannel locked(Path path, @Nullable Runnable waiting) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        boolean kept = false;
        try {
            FileLock lock = channel.tryLock();
            if (lock == null && waiting != null) {
                waiting.run();
                lock = channel.lock();
            }
            kept = lock != null;
            return kept ? channel : null;
        } catch (OverlappingFileLockException sameProcess) {
            return null;
        } catch (IOException refused) {
            throw new FileSystemException(
                    path.toString(),
                    null,
                    "its file system has no file locks (" + refused.getMessage()
                            + "), which keep two processes apart: use a folder on another one, or mount it with locks");
        } finally {
            if (!kept) {
                channel.close();
            }
        }
    }

    private static Path real(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        return Objects.requireNonNull(absolute.getParent()).toRealPath().resolve(absolute.getFileName());
    }

    /** Releases the lock and deletes the file. */
    @Override
    public void close() {
        try (channel) {
            Files.deleteIfExists(path);
        } catch (IOException left) {
            // A lock file that nobody holds is nobody's obstacle.
        }
        System.getProperties().remove(OWN + path);
    }
}
