package io.posbias;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Temporary files of this process: the folder {@code posbias-USER/RANDOM} in Java's temporary folder, which only its user
 * may enter. {@code RANDOM.lock} beside it is held while the process lives. Both are deleted at its end; what killed
 * processes left is deleted by the next.
 */
public final class Temporary implements AutoCloseable {
    private static final String LOCK = ".lock";
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> ONLY_USER =
            PosixFilePermissions.asFileAttribute(PRIVATE);

    /** Whoever runs this process: a number, which a container has where it has no name, or else the name. */
    private static final String USER = uid(Path.of("/proc/self/stat"))
            .orElseGet(() -> System.getProperty("user.name", "").replaceAll("[^\\w.-]", "_"));

    private static final AtomicInteger MADE = new AtomicInteger();
    private static @Nullable Temporary own;

    private final Path folder;
    private final LockFile lock;

    private Temporary(Path folder, LockFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Makes a folder, which its user deletes, or else the end of the process.
     *
     * @param name what its name begins with
     * @throws PosbiasException if that is refused, saying how another temporary folder is chosen
     */
    public static Path folder(String name) {
        Path path = file(name);
        try {
            return Files.createDirectory(path);
        } catch (IOException refused) {
            throw refused(refused);
        }
    }

    /** The path of a new file, as {@link #folder}; it is not made yet. */
    public static Path file(String name) {
        return own().folder.resolve(name + "-" + MADE.incrementAndGet());
    }

    /** What a file system said of a temporary file, with what to do about it. */
    public static PosbiasException refused(IOException problem) {
        return new PosbiasException(
                IoErrors.describe("write", base(), problem)
                        + "; POSBIAS_JAVA_OPTS=-Djava.io.tmpdir=DIR sets another temporary folder",
                problem);
    }

    /** Whether a file is among posbias's temporary ones. */
    static boolean holds(Path file) {
        return file.startsWith(base());
    }

    private static synchronized Temporary own() {
        Temporary known = own;
        if (known != null && Files.isDirectory(known.folder)) {
            return known;
        }
        try {
            Temporary made = make(base());
            own = made;
            return made;
        } catch (IOException refused) {
            throw refused(refused);
        }
    }

    private static Temporary make(Path base) throws IOException {
        protect(base);
        clear(base);
        String name = LockFile.random();
        LockFile lock = LockFile.hold(base.resolve(name + LOCK), () -> {}).orElseThrow();
        Temporary made = new Temporary(base.resolve(name), lock);
        Shutdown.close(made);
        Files.createDirectory(made.folder);
        return made;
    }

    /** Deletes what processes of this user that were killed left behind; does nothing where that cannot be done. */
    public static void clear() {
        try {
            if (Files.isDirectory(base(), LinkOption.NOFOLLOW_LINKS)) {
                protect(base());
                clear(base());
            }
        } catch (IOException notOurs) {
            // Whoever needs the folder is told.
        }
    }

    private static void clear(Path base) throws IOException {
        List<Path> locks;
        try (Stream<Path> files = Files.list(base)) {
            locks = files.filter(file -> file.toString().endsWith(LOCK)).toList();
        }
        for (Path file : locks) {
            String name = String.valueOf(file.getFileName());
            LockFile.tryHold(file).ifPresent(left -> {
                try (left) {
                    Staging.deleteTree(base.resolve(name.substring(0, name.length() - LOCK.length())));
                } catch (IOException stays) {
                    // The next process tries again.
                }
            });
        }
    }

    /** Others must not read what is in it, or put links there: in a folder for all, somebody may have made it first. */
    private static void protect(Path base) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        if (!Files.exists(base, LinkOption.NOFOLLOW_LINKS)) {
            create(base, posix);
        }
        if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(base.toString(), null, "it is no folder");
        }
        if (USER.matches("\\d+") && !uid(base).equals(Optional.of(USER))) {
            throw new FileSystemException(base.toString(), null, "it belongs to another user");
        }
        if (posix
                && !Files.getPosixFilePermissions(base, LinkOption.NOFOLLOW_LINKS)
                        .equals(PRIVATE)) {
            Files.setPosixFilePermissions(base, PRIVATE);
        }
    }

    private static void create(Path base, boolean posix) throws IOException {
        try {
            Files.createDirectory(base, posix ? new FileAttribute<?>[] {ONLY_USER} : new FileAttribute<?>[0]);
        } catch (FileAlreadyExistsException meanwhile) {
            // By another process.
        }
    }

    private static Path base() {
        return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().resolve("posbias-" + USER);
    }

    /** The number of a file's owner. */
    private static Optional<String> uid(Path file) {
        try {
            return Optional.of(String.valueOf(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        Staging.deleteTree(folder);
        if (Shutdown.isUnderWay() && Shutdown.pause()) {
            // Threads that work on at this moment may have made it again.
            Staging.deleteTree(folder);
        }
        lock.close();
        Shutdown.forget(this);
    }
}
