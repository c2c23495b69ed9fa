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
 * Temporary files of this process in {@code posbias-USER/RANDOM} below Java's temporary folder, readable by the user
 * only. {@code RANDOM.lock} is held while the process lives; leftovers of killed processes are deleted by the next.
 */
public final class Temporary implements AutoCloseable {
    private static final String LOCK = ".lock";
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> ONLY_USER =
            PosixFilePermissions.asFileAttribute(PRIVATE);

    /** The user's number if available, since a container may have no user names; else the name. */
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
     * Creates a folder that is deleted with the process.
     *
     * @throws PosbiasException if it cannot be created, with advice
     */
    public static Path folder(String name) {
        Path path = file(name);
        try {
            return Files.createDirectory(path);
        } catch (IOException refused) {
            throw refused(refused);
        }
    }

    /** A path for a new file. */
    public static Path file(String name) {
        return own().folder.resolve(name + "-" + MADE.incrementAndGet());
    }

    /** Error about the temporary folder, with advice on java.io.tmpdir. */
    public static PosbiasException refused(IOException problem) {
        return new PosbiasException(
                IoErrors.describe("write", base(), problem)
                        + "; POSBIAS_JAVA_OPTS=-Djava.io.tmpdir=DIR sets another temporary folder",
                problem);
    }

    /** True for posbias's temporary files. */
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

    /** Deletes leftovers of this user's killed processes, if possible. */
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

    /** Refuses a folder that another user created, where links could be planted. */
    private static void protect(Path base) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        if (!Files.exists(base, LinkOption.NOFOLLOW_LINKS)) {
            create(base, posix);
        }
        if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(base.toString(), null, "it is not a folder");
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
