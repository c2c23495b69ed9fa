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
 * A file that a process holds locked while it lives, so that others leave alone what belongs to it. The operating system
 * gives the lock back when the process ends, however it ends; a process id would say nothing in a container, where each
 * process is number 1, or on another host. Locks are those of POSIX ({@code fcntl}), which network file systems carry
 * between hosts where they are mounted with locks.
 *
 * <p>The file is deleted by its last holder. A process that waited for it would then hold a file without a name: whoever
 * gets a lock looks whether the name still leads to the file that it locked, and tries again where it does not.
 *
 * <p>Safe for several threads.
 */
public final class LockFile implements AutoCloseable {
    /** POSIX drops all locks of a file when the process closes any channel to it: each is opened once in a process. */
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

    /** Sixteen random hexadecimal digits for a name that no other process takes. */
    public static String random() {
        return HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    /**
     * Holds a file alone; it and its folder are made if they are not there.
     *
     * @return empty while another process holds it, or this one
     * @throws IOException if the file cannot be made, is a symbolic link, or its file system has no locks
     */
    public static Optional<LockFile> tryHold(Path file) throws IOException {
        return Optional.ofNullable(open(file, false, null));
    }

    /**
     * The same, but waits for another process.
     *
     * @param waiting is run once where there is somebody to wait for
     * @return empty if this process holds the file already
     */
    public static Optional<LockFile> hold(Path file, Runnable waiting) throws IOException {
        return Optional.ofNullable(open(file, false, waiting));
    }

    /** Holds a file together with other processes that share it; waits for one that holds it alone. */
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

    /** What tells files apart, whatever their names; null on systems that have no such thing. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Opens a file and locks it; null while another process has it. */
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

    /** A file by the one name that it has in this process. */
    private static Path real(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        return Objects.requireNonNull(absolute.getParent()).toRealPath().resolve(absolute.getFileName());
    }

    /** The file. */
    public Path path() {
        return path;
    }

    /** Gives the file back, and deletes it unless others share it; under another name it stays. */
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
