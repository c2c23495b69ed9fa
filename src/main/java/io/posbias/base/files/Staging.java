package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
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
 * A folder for results in progress, so that files with their final names are complete: hidden beside its target, or
 * temporary. A lock makes other processes with the same target wait, also on other hosts: the target is read after the
 * wait. Closing without a commit deletes the folder, as does an interruption; leftovers of killed processes are deleted by the
 * next process with the same target.
 */
public final class Staging implements AutoCloseable {
    private static final String MARK = ".posbias";
    private static final String OLD = "-old";
    /** Ending of a staging folder whose files are complete and on their way into the target. */
    private static final String WHOLE = "-whole";

    private static final String SEAL = ".seal";
    private static final Pattern RANDOM = Pattern.compile("[0-9a-f]{16}(" + OLD + "|" + WHOLE + ")?");
    private static final String LOCK = ".lock";
    private static final int TRIES = 50;

    private final Path shown;
    private final Path target;
    private final Path folder;
    private final LockFile lock;
    private final Shutdown shutdown;
    /** Folders created for this one, deepest first. */
    private final List<Path> made;

    private Staging(Path shown, Path folder, LockFile lock, Shutdown shutdown, List<Path> made) {
        this.shown = shown;
        this.target = shown.toAbsolutePath().normalize();
        this.folder = folder;
        this.lock = lock;
        this.shutdown = shutdown;
        this.made = made;
        shutdown.close(this);
    }

    /**
     * Stages files for {@link #commitFiles} into {@code target}, which may hold other files. Waits for other processes.
     *
     * @throws PosbiasException if this process is staging the target
     */
    public static Staging within(Path target, Session session) {
        return open(target, target.toAbsolutePath().normalize(), MARK, session);
    }

    /** Returns true if {@link #within} would wait. */
    public static boolean isWithin(Path target) {
        try {
            return LockFile.isHeld(target.resolve(MARK + LOCK));
        } catch (IOException unknown) {
            return false;
        }
    }

    /**
     * Stages a folder for {@link #commitFolder}. Waits for other processes.
     *
     * @throws PosbiasException if this process is staging the target
     */
    public static Staging beside(Path target, Session session) {
        Path absolute = target.toAbsolutePath().normalize();
        return open(target, parent(absolute), mark(absolute), session);
    }

    /**
     * Creates a folder among the {@linkplain Temporary temporary} ones, which the user alone can read.
     *
     * @throws PosbiasException if it cannot be created, with advice
     */
    public static Staging temporary(String name, Shutdown shutdown) {
        try {
            Path base = Temporary.prepared();
            clearTemporary(base);
            Path folder = base.resolve(name + "-" + LockFile.random());
            LockFile lock = LockFile.tryHold(Path.of(folder + LOCK)).orElseThrow();
            return new Staging(folder, folder, lock, shutdown, List.of()).begun(() -> {});
        } catch (IOException refused) {
            throw Temporary.refused(refused);
        }
    }

    /** Deletes temporary folders of this user's killed processes, if possible. */
    public static void clearTemporary() {
        try {
            if (Temporary.exists()) {
                clearTemporary(Temporary.prepared());
            }
        } catch (IOException notOurs) {
            // Whoever needs the folder is told.
        }
    }

    private static void clearTemporary(Path base) throws IOException {
        for (Path file : listed(base, path -> path.toString().endsWith(LOCK))) {
            String name = file.toString();
            LockFile.tryHold(file).ifPresent(left -> {
                try (left) {
                    deleteTree(Path.of(name.substring(0, name.length() - LOCK.length())));
                } catch (IOException stays) {
                    // The next process tries again.
                }
            });
        }
    }

    private static Path parent(Path absolute) {
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new PosbiasException("cannot write " + absolute + ": it is the root of the file system");
        }
        return parent;
    }

    private static String mark(Path absolute) {
        return MARK + "-" + absolute.getFileName();
    }

    private static Staging open(Path shown, Path parent, String mark, Session session) {
        return IoErrors.call("write", shown, () -> {
            List<Path> made = missing(parent);
            LockFile lock = LockFile.hold(parent.resolve(mark + LOCK), "writing " + shown, session);
            Path folder = parent.resolve(mark + "-" + LockFile.random());
            Staging staging = new Staging(shown, folder, lock, session.shutdown(), made);
            return staging.begun(() -> clearAbandoned(staging.target, parent, mark + "-"));
        });
    }

    private Staging begun(IoErrors.Run cleaning) throws IOException {
        try {
            cleaning.run();
            Files.createDirectory(folder);
            return this;
        } catch (IOException | RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private static List<Path> missing(Path parent) {
        List<Path> missing = new ArrayList<>();
        for (Path path = parent; path != null && !Files.exists(path); path = path.getParent()) {
            missing.add(path);
        }
        return missing;
    }

    /** Tells the user of an interruption what survives it, for example "finished results". */
    public void keeps(String what) {
        shutdown.keeps(what);
    }

    /** The target as given. */
    public Path target() {
        return shown;
    }

    /** The folder to write into. */
    public Path folder() {
        return folder;
    }

    /**
     * Moves the staged files and folders into the target, the seal last; an older seal is removed first, so a seal implies
     * complete files. A folder replaces one of its name. What a kill leaves under way is finished by the next process with the target.
     *
     * @param seal name of the file that marks completeness
     */
    public void commitFiles(String seal) {
        IoErrors.run("write", shown, () -> {
            Path whole = folder.resolveSibling(folder.getFileName() + WHOLE);
            move(
                    folder.resolve(seal),
                    Files.createDirectory(folder.resolve(SEAL)).resolve(seal));
            move(folder, whole);
            try {
                finish(whole, target);
            } catch (IOException refused) {
                deleteTree(whole);
                throw refused;
            }
        });
    }

    private static void finish(Path whole, Path target) throws IOException {
        for (Path seal : listed(whole.resolve(SEAL), file -> true)) {
            Files.deleteIfExists(target.resolve(seal.getFileName()));
            for (Path file : listed(whole, file -> !file.endsWith(SEAL))) {
                Path to = target.resolve(file.getFileName());
                if (Files.isDirectory(file)) {
                    deleteTree(to);
                }
                move(file, to);
            }
            move(seal, target.resolve(seal.getFileName()));
        }
        deleteTree(whole);
    }

    /** Finishes what a killed process had begun to move into a folder, unless another process is writing there. */
    public static void finish(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        try {
            if (Files.isDirectory(absolute)
                    && !left(absolute, MARK + "-", WHOLE).isEmpty()) {
                settle(absolute, absolute, MARK);
            }
        } catch (IOException stays) {
            // The folder cannot be written: it is as it was read.
        }
    }

    /** Deletes, or ends, what killed processes left; returns false if a process is writing. */
    private static boolean settle(Path target, Path parent, String mark) throws IOException {
        try (LockFile lock = LockFile.tryHold(parent.resolve(mark + LOCK)).orElse(null)) {
            if (lock != null) {
                clearAbandoned(target, parent, mark + "-");
            }
            return lock != null;
        }
    }

    private static List<Path> listed(Path folder, Predicate<Path> wanted) throws IOException {
        return FileNames.in(folder).stream().filter(wanted).toList();
    }

    /** Renames the staging folder to the target, replacing an older one. */
    public void commitFolder() {
        IoErrors.run("write", shown, () -> {
            Path old = folder.resolveSibling(folder.getFileName() + OLD);
            replaceFolder(folder, target, old);
        });
    }

    /**
     * Renames a folder to a target; restores the older target if that fails.
     *
     * @param old temporary name of the older target
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
     * Restores a folder that a process killed in {@link #commitFolder} left aside. Called before a missing folder is
     * reported; waits for a process between the two renames.
     *
     * @throws PosbiasException if it cannot be restored, with its place
     */
    public static void restore(Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            return;
        }
        for (int i = 0; i < TRIES && !Files.exists(absolute); i++) {
            List<Path> aside = IoErrors.call("read", parent, () -> left(parent, mark(absolute) + "-", OLD));
            if (aside.isEmpty()) {
                return;
            }
            try {
                if (!settle(absolute, parent, mark(absolute)) && !Shutdown.pause()) {
                    Thread.currentThread().interrupt();
                    return;
                }
            } catch (IOException refused) {
                throw new PosbiasException(
                        IoErrors.describe("write", target, refused) + "; the set that was there is in "
                                + aside.getFirst(),
                        refused);
            }
        }
    }

    /** Returns leftovers of killed processes by the ending of their names. */
    private static List<Path> left(Path folder, String prefix, String ending) throws IOException {
        return listed(folder, path -> path.toString().endsWith(ending) && isPart(path, prefix));
    }

    /** Deletes uncommitted files and the empty folders created for them. */
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
        if (shutdown.isUnderWay() && Shutdown.pause()) {
            // Threads that work on at this moment may have made it again.
            deleteTree(folder);
        }
        lock.close();
        shutdown.forget(this);
        try {
            for (Path path : made) {
                Files.deleteIfExists(path);
            }
        } catch (DirectoryNotEmptyException committed) {
            // The usual end: the folder holds results now.
        }
    }

    /** Renames atomically, or copies across file systems. */
    public static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException notAtomic) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * Deletes leftovers of ended processes; the caller holds the lock. A target left aside by {@link #commitFolder} is
     * restored first.
     */
    private static void clearAbandoned(Path target, Path parent, String prefix) throws IOException {
        for (Path path : listed(parent, path -> isPart(path, prefix))) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                if (path.toString().endsWith(OLD) && !Files.exists(target)) {
                    move(path, target);
                }
                if (path.toString().endsWith(WHOLE)) {
                    finish(path, target);
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
        return RANDOM.matcher(suffix).matches();
    }

    public static void writeFile(Path file, String text) {
        writeFile(file, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes a file completely or not at all, creating parent folders.
     *
     * @throws PosbiasException if it cannot be written
     */
    public static void writeFile(Path file, byte[] content) {
        Path parent = parentOf(file);
        IoErrors.run("write", file, () -> {
            Files.createDirectories(parent);
            replace(file, out -> out.write(content));
        });
    }

    private static Path parentOf(Path file) {
        if (Files.isDirectory(file)) {
            throw new PosbiasException("cannot write " + file + ": it is a folder");
        }
        return parent(file.toAbsolutePath().normalize());
    }

    /** Checks before costly work that a file can be written later. Changes nothing. */
    public static void checkFile(Path file) {
        Path parent = parentOf(file);
        IoErrors.run("write", file, () -> requireWritable(parent));
    }

    /** Checks before costly work that files can be written into a folder later. Changes nothing. */
    public static void checkFolder(Path folder) {
        IoErrors.run(
                "write", folder, () -> requireWritable(folder.toAbsolutePath().normalize()));
    }

    /** Checks a folder in posbias's home, whose error gives advice on POSBIAS_HOME. Changes nothing. */
    public static void checkHome(Path folder) {
        try {
            requireWritable(folder.toAbsolutePath().normalize());
        } catch (IOException refused) {
            throw IoErrors.kept(folder, refused);
        }
    }

    private static void requireWritable(Path absolute) throws IOException {
        List<Path> missing = missing(absolute);
        Path there = missing.isEmpty() ? absolute : parent(missing.getLast());
        if (!Files.isDirectory(there)) {
            throw new NotDirectoryException(there.toString());
        }
        if (!Files.isWritable(there)) {
            throw new AccessDeniedException(there.toString());
        }
    }

    /** Writes a file's content; leaves the stream open. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes a file completely or not at all, under a random temporary name. Leftovers older than a day are deleted.
     */
    public static void replace(Path file, Content content) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        Path parent = parent(absolute);
        deleteLeft(absolute);
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

    /** Deletes what killed processes left of {@link #replace} of a file more than a day ago. */
    public static void deleteLeft(Path file) throws IOException {
        Path absolute = file.toAbsolutePath().normalize();
        FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
        for (Path left : listed(parent(absolute), path -> isPart(path, mark(absolute) + "-"))) {
            if (Files.isRegularFile(left, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(left).compareTo(yesterday) < 0) {
                Files.deleteIfExists(left);
            }
        }
    }

    /** Deletes a folder recursively without following links, if it exists. */
    public static void delete(Path root) {
        IoErrors.run("delete", root, () -> deleteTree(root));
    }

    public static void deleteTree(Path root) throws IOException {
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
