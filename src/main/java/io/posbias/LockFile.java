package io.posbias;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file lock that lasts at most as long as the process: the operating system releases it however the process ends,
 * also across containers and hosts (POSIX {@code fcntl}, where the file system supports it). <p>The last holder deletes
 * the file. A waiting process would then lock a deleted file, so each new holder checks that the name still leads to
 * the locked file, and retries if not. <p>Safe for several threads.
 */
public final class LockFile implements AutoCloseable {
    /** POSIX drops all locks of a file when the process closes any channel to it, so a process opens each file once. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path path;
    private final FileChannel channel;
    private final boolean shared;

    private LockFile(Path path, FileChannel channel, boolean shared) {
        this.path = path;
        this.channel = channel;
        this.shared = shared;
    }

    /** Returns sixteen random hexadecimal digits. */
    public static String random() {
        return HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    /**
     * Locks a file exclusively, creating it and its folder.
     *
     * @return empty if it is locked already
     * @throws IOException if the file cannot be created, is a symbolic link, or its file system has no locks
     */
    public static Optional<LockFile> tryHold(Path file) throws IOException {
        return Optional.ofNullable(open(file, false, null));
    }

    /**
     * Locks a file exclusively, waiting for other processes.
     *
     * @param waiting run once before waiting
     * @return empty if this process holds the lock
     */
    public static Optional<LockFile> hold(Path file, Runnable waiting) throws IOException {
        return Optional.ofNullable(open(file, false, waiting));
    }

    /** Locks a file together with other sharers, waiting for an exclusive holder. */
    public static Optional<LockFile> share(Path file) throws IOException {
        return Optional.ofNullable(open(file, true, () -> {}));
    }

    private static @Nullable LockFile open(Path file, boolean shared, @Nullable Runnable waiting) throws IOException {
        Files.createDirectories(
                Objects.requireNonNull(file.toAbsolutePath().normalize().getParent()));
        Path path = real(file);
        if (!OWN.add(path)) {
            return null;
        }
        LockFile taken = null;
        try {
            taken = take(path, shared, waiting);
            return taken;
        } finally {
            if (taken == null) {
                OWN.remove(path);
            }
        }
    }

    private static @Nullable LockFile take(Path path, boolean shared, @Nullable Runnable waiting) throws IOException {
        while (true) {
            try {
                create(path);
                Object key = key(path);
                FileChannel channel = locked(path, shared, waiting);
                if (channel == null) {
                    return null;
                }
                if (isStill(path, key)) {
                    return new LockFile(path, channel, shared);
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
    private static @Nullable FileChannel locked(Path path, boolean shared, @Nullable Runnable waiting)
            throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        boolean kept = false;
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, shared);
            if (lock == null && waiting != null) {
                waiting.run();
                lock = channel.lock(0, Long.MAX_VALUE, shared);
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

    public Path path() {
        return path;
    }

    /** Releases the lock and deletes the file unless it is shared. */
    @Override
    public void close() {
        try (channel) {
            if (!shared) {
                Files.deleteIfExists(path);
            }
        } catch (IOException left) {
            // A lock file that nobody holds is nobody's obstacle.
        }
        OWN.remove(path);
    }
}
