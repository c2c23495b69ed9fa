package io.posbias;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A hidden folder in which results are made before they are shown, so that what is under its final name is whole or
 * absent. While it is open a lock keeps other processes from writing to the same target, whatever host or container they
 * are in. Closing without a commit deletes it; so does the end of the process, and what a killed process left behind is
 * deleted by the next one that stages for the same target.
 */
public final class Staging implements AutoCloseable {
    private static final String MARK = ".posbias";
    private static final String OLD = "-old";
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{16}");
    private static final int TRIES = 50;
    private static final int PAUSE_MILLIS = 20;

    private final Path shown;
    private final Path target;
    private final Path folder;
    private final LockFile lock;
    /** Folders that had to be made for this one, deepest first. */
    private final List<Path> made;

    private Staging(Path shown, Path target, Path folder, LockFile lock, List<Path> made) {
        this.shown = shown;
        this.target = target;
        this.folder = folder;
        this.lock = lock;
        this.made = made;
    }

    /**
     * Stages files that {@link #commitFiles} will move into the folder {@code target}, which may hold other files.
     *
     * @throws PosbiasException if another process, or this one, stages for the same target
     */
    public static Staging within(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        return open(target, absolute, absolute, MARK);
    }

    /**
     * Stages a folder that {@link #commitFolder} will rename to {@code target}.
     *
     * @throws PosbiasException if another process, or this one, stages for the same target
     */
    public static Staging beside(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        return open(target, absolute, parent(absolute), mark(absolute));
    }

    private static Path parent(Path absolute) {
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new PosbiasException("cannot write " + absolute + ": it is the root of the file system");
        }
        return parent;
    }

    /** What names of files beside one begin with that are its parts. */
    private static String mark(Path absolute) {
        return MARK + "-" + absolute.getFileName();
    }

    private static Staging open(Path shown, Path target, Path parent, String mark) {
        return IoErrors.call("write", shown, () -> {
            List<Path> made = missing(parent);
            LockFile lock = LockFile.tryHold(parent.resolve(mark + ".lock"))
                    .orElseThrow(() -> new PosbiasException("another posbias is writing " + shown
                            + " at this moment; nothing was changed: wait for its end, or choose another folder"));
            Staging staging = new Staging(shown, target, parent.resolve(mark + "-" + LockFile.random()), lock, made);
            Shutdown.close(staging);
            try {
                clearAbandoned(target, parent, mark + "-");
                Files.createDirectory(staging.folder);
                return staging;
            } catch (IOException | RuntimeException refused) {
                staging.close();
                throw refused;
            }
        });
    }

    private static List<Path> missing(Path parent) {
        List<Path> missing = new ArrayList<>();
        for (Path path = parent; path != null && !Files.exists(path); path = path.getParent()) {
            missing.add(path);
        }
        return missing;
    }

    /** The target as it was given. */
    public Path target() {
        return shown;
    }

    /** The folder to write into. */
    public Path folder() {
        return folder;
    }

    /**
     * Moves the staged files into the target one by one, the sealing file last: whoever finds the seal finds all of
     * them, of one making. An older seal is removed first.
     *
     * @param seal the file whose presence says that the others are complete
     */
    public void commitFiles(String seal) {
        IoErrors.run("write", shown, () -> {
            Files.deleteIfExists(target.resolve(seal));
            for (Path file : listed(folder, file -> !file.endsWith(seal))) {
                move(file, target.resolve(file.getFileName()));
            }
            move(folder.resolve(seal), target.resolve(seal));
        });
    }

    private static List<Path> listed(Path folder, Predicate<Path> wanted) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(wanted).sorted().toList();
        }
    }

    /** Renames the whole staging folder to the target, replacing an older folder of that name. */
    public void commitFolder() {
        IoErrors.run("write", shown, () -> {
            Path old = folder.resolveSibling(folder.getFileName() + OLD);
            replaceFolder(folder, target, old);
        });
    }

    /**
     * Renames a folder to a target. An older target goes aside first; it comes back if the second renaming is refused.
     *
     * @param old where the older target is meanwhile; deleted at the end
     */
    public static void replaceFolder(Path from, Path target, Path old) throws IOException {
        boolean aside = Files.exists(target);
        if (aside) {
            move(target, old);
        }
        try {
            move(from, target);
        } catch (IOException refused) {
            if (aside) {
                putBack(old, target, refused);
            }
            throw refused;
        }
        deleteTree(old);
    }

    private static void putBack(Path old, Path target, IOException refused) throws IOException {
        try {
            move(old, target);
        } catch (IOException again) {
            throw new FileSystemException(
                    target.toString(),
                    null,
                    refused.getMessage() + "; the older one is in " + old + ", and the next run puts it back");
        }
    }

    /**
     * Puts back a folder that a process which was killed in {@link #commitFolder} left aside. Whoever looks for a folder
     * that is not there calls this first; while another process is between the two renamings this waits for it.
     *
     * @throws PosbiasException if the folder cannot be put back, saying where it is
     */
    public static void restore(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            return;
        }
        for (int i = 0; i < TRIES && !Files.exists(absolute); i++) {
            List<Path> aside = IoErrors.call("read", parent, () -> aside(absolute, parent));
            if (aside.isEmpty()) {
                return;
            }
            try (LockFile lock =
                    LockFile.tryHold(parent.resolve(mark(absolute) + ".lock")).orElse(null)) {
                if (lock != null) {
                    clearAbandoned(absolute, parent, mark(absolute) + "-");
                } else {
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (IOException refused) {
                throw new PosbiasException(
                        IoErrors.describe("write", target, refused) + "; the set that was there is in "
                                + aside.getFirst(),
                        refused);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static List<Path> aside(Path target, Path parent) throws IOException {
        return listed(parent, path -> path.toString().endsWith(OLD) && isPart(path, mark(target) + "-"));
    }

    /** Deletes what was staged and not committed, and the folders that were made for it and stayed empty. */
    @Override
    public void close() {
        try {
            closeWhole();
        } catch (IOException leftBehind) {
            // The end of the process tries again; the failure that brought us here matters more.
        }
    }

    private void closeWhole() throws IOException {
        deleteTree(folder);
        lock.close();
        Shutdown.forget(this);
        try {
            for (Path path : made) {
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException committed) {
            // The usual end: the folder holds results now.
        }
    }

    /** Renames a file or folder, or copies it where renaming cannot reach. */
    public static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException notAtomic) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Clears what processes that ended staged under the same prefix; the caller holds the target's lock. One that ended
     * between the two renamings of {@link #commitFolder} left the older target aside: it is put back first.
     */
    private static void clearAbandoned(Path target, Path parent, String prefix) throws IOException {
        for (Path path : listed(parent, path -> isPart(path, prefix))) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                if (path.toString().endsWith(OLD) && !Files.exists(target)) {
                    move(path, target);
                }
                deleteTree(path);
            }
        }
    }

    private static boolean isPart(Path path, String prefix) {
        String name = String.valueOf(path.getFileName());
        if (!name.startsWith(prefix)) {
            return false;
        }
        String suffix = name.substring(prefix.length());
        String random = suffix.endsWith(OLD) ? suffix.substring(0, suffix.length() - OLD.length()) : suffix;
        return RANDOM.matcher(random).matches();
    }

    /** Writes a text in UTF-8, as {@link #writeFile(Path, byte[])} does. */
    public static void writeFile(Path file, String text) {
        writeFile(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes one file whole or not at all, replacing an older one; folders on the way to it are made.
     *
     * @throws PosbiasException if that is refused
     */
    public static void writeFile(Path file, byte[] content) {
        Path absolute = file.toAbsolutePath().normalize();
        try {
            Path parent = absolute.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (Files.isDirectory(absolute)) {
                throw new PosbiasException("cannot write " + file + ": it is a folder");
            }
            replace(absolute, content);
        } catch (IOException refused) {
            throw new PosbiasException(IoErrors.describe("write", file, refused), refused);
        }
    }

    /**
     * Refuses a file that cannot be written, before anything long begins: makes the folders on the way to it, and deletes them.
     *
     * @throws PosbiasException if that is refused
     */
    public static void check(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        IoErrors.run("write", file, () -> {
            List<Path> missing = missing(parent(absolute));
            Files.createDirectories(parent(absolute));
            for (Path folder : missing) {
                Files.delete(folder);
            }
        });
    }

    /** What a file is to hold. */
    @FunctionalInterface
    public interface Content {
        /** Writes it; the stream stays open. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes one file as {@link #replace(Path, Content)} does. */
    public static void replace(Path file, byte[] content) throws IOException {
        replace(file, out -> out.write(content));
    }

    /**
     * Writes one file of a folder that is there, whole or not at all, replacing an older one. It is made under a random
     * name, which nobody can have put a link under. Parts of it that killed processes left are deleted after a day.
     */
    public static void replace(Path file, Content content) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path parent = parent(absolute);
        deleteLeft(parent, mark(absolute) + "-");
        Path part = parent.resolve(mark(absolute) + "-" + LockFile.random());
        try {
            try (OutputStream out =
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                content.writeTo(out);
            }
            move(part, absolute);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void deleteLeft(Path folder, String prefix) throws IOException {
        FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
        for (Path left : listed(folder, path -> isPart(path, prefix))) {
            if (Files.isRegularFile(left, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(left).compareTo(yesterday) < 0) {
                Files.deleteIfExists(left);
            }
        }
    }

    /** Deletes a folder with all it holds, following no links; does nothing when it is absent. */
    public static void delete(Path root) {
        IoErrors.run("delete", root, () -> deleteTree(root));
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException vanished) {
            throw Objects.requireNonNull(vanished.getCause());
        }
    }
}
